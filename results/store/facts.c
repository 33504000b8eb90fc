#include "results/store/facts.h"

#include "core/memory.h"
#include "results/store/sqlite.h"

enum status facts_read(struct store *store, struct result_facts *facts, struct error *error)
{
    static const char sql[] = "SELECT count(*), ifnull(min(started), ''), ifnull(max(started), ''),"
                              " (SELECT ifnull(group_concat(run, ', '), '')"
                              "  FROM (SELECT DISTINCT run FROM result ORDER BY 1)),"
                              " (SELECT ifnull(group_concat(host, ', '), '')"
                              "  FROM (SELECT DISTINCT host FROM result ORDER BY 1)),"
                              " (SELECT ifnull(group_concat(build, ', '), '')"
                              "  FROM (SELECT DISTINCT build FROM result ORDER BY 1)) FROM result";
    sqlite3_stmt *statement = NULL;
    int found;
    enum status status;
    *facts = (struct result_facts){0};
    TRY_OR_DONE(status, sqlite_prepare(store, sql, &statement, error));
    TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
    facts->rows = (uint64_t)sqlite3_column_int64(statement, 0);
    TRY_OR_DONE(status, sqlite_text(statement, 1, &facts->first_started, error));
    TRY_OR_DONE(status, sqlite_text(statement, 2, &facts->last_started, error));
    TRY_OR_DONE(status, sqlite_text(statement, 3, &facts->runs, error));
    TRY_OR_DONE(status, sqlite_text(statement, 4, &facts->hosts, error));
    TRY_OR_DONE(status, sqlite_text(statement, 5, &facts->builds, error));
done:
    sqlite3_finalize(statement);
    if (status)
        facts_free(facts);
    return status;
}

void facts_free(struct result_facts *facts)
{
    memory_free(facts->runs);
    memory_free(facts->hosts);
    memory_free(facts->builds);
    memory_free(facts->first_started);
    memory_free(facts->last_started);
    *facts = (struct result_facts){0};
}
