#include "results/store/facts.h"

#include "core/memory.h"
#include "results/store/sqlite.h"

static enum status take_facts(void *context, sqlite3_stmt *row, struct error *error)
{
    struct result_facts *facts = context;
    facts->rows = (uint64_t)sqlite3_column_int64(row, 0);
    TRY(sqlite_text(row, 1, &facts->first_started, error));
    TRY(sqlite_text(row, 2, &facts->last_started, error));
    TRY(sqlite_text(row, 3, &facts->runs, error));
    TRY(sqlite_text(row, 4, &facts->hosts, error));
    return sqlite_text(row, 5, &facts->builds, error);
}

enum status facts_read(struct store *store, struct result_facts *facts, struct error *error)
{
    static const char sql[] = "SELECT count(*), ifnull(min(started), ''), ifnull(max(started), ''),"
                              " (SELECT ifnull(group_concat(run, ', '), '')"
                              "  FROM (SELECT DISTINCT run FROM result ORDER BY 1)),"
                              " (SELECT ifnull(group_concat(host, ', '), '')"
                              "  FROM (SELECT DISTINCT host FROM result ORDER BY 1)),"
                              " (SELECT ifnull(group_concat(build, ', '), '')"
                              "  FROM (SELECT DISTINCT build FROM result ORDER BY 1)) FROM result";
    *facts = (struct result_facts){0};
    enum status status = sqlite_ask(
        store, sql, &(struct sqlite_question){.take = take_facts, .context = facts}, error);
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
