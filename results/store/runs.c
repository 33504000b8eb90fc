#include "results/store/runs.h"

#include "core/memory.h"
#include "results/store/row.h"
#include "results/store/sqlite.h"

static const char select_runs[] =
    "SELECT run, min(started), max(started), group_concat(DISTINCT build),"
    " group_concat(DISTINCT host), count(*), count(DISTINCT digest), count(DISTINCT planner),"
    " sum(status IN ('" RESULT_ERROR "', 'crash') OR verdict NOT IN ('', '" RESULT_VALID "')"
    "  OR execution = '" RESULT_DAMAGED "')"
    " FROM result GROUP BY run ORDER BY max(started) DESC, run";

static enum status add_run(struct run_list *list, sqlite3_stmt *statement, struct error *error)
{
    TRY(memory_reserve(&list->run, &list->capacity, list->count + (size_t)1, sizeof *list->run,
                       error));
    struct run_summary *run = &list->run[list->count++];
    *run = (struct run_summary){.rows = (uint64_t)sqlite3_column_int64(statement, 5),
                                .instances = (uint64_t)sqlite3_column_int64(statement, 6),
                                .planners = (uint64_t)sqlite3_column_int64(statement, 7),
                                .failed = (uint64_t)sqlite3_column_int64(statement, 8)};
    TRY(sqlite_text(statement, 0, &run->label, error));
    TRY(sqlite_text(statement, 1, &run->first_started, error));
    TRY(sqlite_text(statement, 2, &run->last_started, error));
    TRY(sqlite_text(statement, 3, &run->builds, error));
    return sqlite_text(statement, 4, &run->hosts, error);
}

enum status runs_list(struct store *store, struct run_list *list, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 1;
    enum status status;
    TRY_OR_DONE(status, sqlite_prepare(store, select_runs, &statement, error));
    for (;;) {
        TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, add_run(list, statement, error));
    }
done:
    sqlite3_finalize(statement);
    if (status)
        runs_free(list);
    return status;
}

void runs_free(struct run_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        memory_free(list->run[i].label);
        memory_free(list->run[i].first_started);
        memory_free(list->run[i].last_started);
        memory_free(list->run[i].builds);
        memory_free(list->run[i].hosts);
    }
    memory_free(list->run);
    *list = (struct run_list){0};
}

static enum status delete_where(struct store *store, const char *sql, const char *label,
                                const char *planner, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found;
    enum status status;
    TRY_OR_DONE(status, sqlite_prepare(store, sql, &statement, error));
    sqlite3_bind_text(statement, 1, label, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, planner, -1, SQLITE_TRANSIENT);
    status = sqlite_step(store, statement, &found, error);
done:
    sqlite3_finalize(statement);
    return status;
}

static enum status delete_rows(struct store *store, const char *label, const char *planner,
                               uint64_t *rows, struct error *error)
{
    TRY(delete_where(store,
                     "DELETE FROM rectangle WHERE result IN (SELECT id FROM result WHERE run = ?1"
                     " AND ifnull(planner = ?2, 1))",
                     label, planner, error));
    TRY(delete_where(store, "DELETE FROM result WHERE run = ?1 AND ifnull(planner = ?2, 1)", label,
                     planner, error));
    *rows = (uint64_t)sqlite3_changes64(store->database);
    /* Measures are about instances: they go with the whole run. */
    return delete_where(store, "DELETE FROM measure WHERE run = ?1 AND ?2 IS NULL", label, planner,
                        error);
}

enum status runs_delete(struct store *store, const char *label, const char *planner, uint64_t *rows,
                        struct error *error)
{
    *rows = 0;
    TRY(sqlite_begin(store, error));
    return sqlite_end(store, delete_rows(store, label, planner, rows, error), error);
}
