#include "core/memory.h"
#include "results/store/query.h"
#include "results/store/sqlite.h"

static uint64_t read_u64(sqlite3_stmt *statement, int place)
{
    return (uint64_t)sqlite3_column_int64(statement, place);
}

static enum status add_rectangle(struct rectangle_set *set, sqlite3_stmt *statement,
                                 struct error *error)
{
    char *label;
    TRY(memory_reserve(&set->rectangle, &set->capacity, set->count + (size_t)1,
                       sizeof *set->rectangle, error));
    TRY(handle_text(statement, 0, &label, error));
    set->rectangle[set->count++] = (struct result_rectangle){
        .label = label,
        .lower = read_u64(statement, 1),
        .upper = read_u64(statement, 2),
        .offset = read_u64(statement, 3),
        .size = read_u64(statement, 4),
        .group = read_u64(statement, 5),
        .block = sqlite3_column_int(statement, 6),
    };
    return STATUS_OK;
}

enum status query_rectangles(struct store *store, int64_t id, struct rectangle_set *rectangles,
                             struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 1;
    enum status status;
    TRY_OR_DONE(status,
                handle_prepare(store,
                               "SELECT label, lower, upper, bytes_offset, size_bytes, region_group,"
                               " block FROM rectangle WHERE result = ?1 ORDER BY position",
                               &statement, error));
    sqlite3_bind_int64(statement, 1, id);
    for (;;) {
        TRY_OR_DONE(status, handle_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, add_rectangle(rectangles, statement, error));
    }
done:
    sqlite3_finalize(statement);
    if (status)
        query_rectangles_free(rectangles);
    return status;
}

void query_rectangles_free(struct rectangle_set *rectangles)
{
    for (uint32_t i = 0; i < rectangles->count; i++)
        memory_free((char *)rectangles->rectangle[i].label);
    memory_free(rectangles->rectangle);
    *rectangles = (struct rectangle_set){0};
}

enum status query_facts(struct store *store, struct result_facts *facts, struct error *error)
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
    TRY_OR_DONE(status, handle_prepare(store, sql, &statement, error));
    TRY_OR_DONE(status, handle_step(store, statement, &found, error));
    facts->rows = read_u64(statement, 0);
    TRY_OR_DONE(status, handle_text(statement, 1, &facts->first_started, error));
    TRY_OR_DONE(status, handle_text(statement, 2, &facts->last_started, error));
    TRY_OR_DONE(status, handle_text(statement, 3, &facts->runs, error));
    TRY_OR_DONE(status, handle_text(statement, 4, &facts->hosts, error));
    TRY_OR_DONE(status, handle_text(statement, 5, &facts->builds, error));
done:
    sqlite3_finalize(statement);
    if (status)
        query_facts_free(facts);
    return status;
}

void query_facts_free(struct result_facts *facts)
{
    memory_free(facts->runs);
    memory_free(facts->hosts);
    memory_free(facts->builds);
    memory_free(facts->first_started);
    memory_free(facts->last_started);
    *facts = (struct result_facts){0};
}
