#include "results/store/runs.h"

#include <string.h>

#include "core/memory.h"
#include "results/store/columns.h"
#include "results/store/schema.h"
#include "results/store/sqlite.h"

/* What rows say about their run; in the answer these columns stand in front of those of the run. */
static const char select_counts[] =
    "WITH counts AS (SELECT run, count(*) AS rows, count(DISTINCT digest) AS instances,"
    "  count(DISTINCT planner) AS planners,"
    "  sum(status IN ('" RESULT_ERROR "', 'crash') OR verdict NOT IN ('', '" RESULT_VALID "')"
    "   OR execution = '" RESULT_DAMAGED "') AS failed FROM result GROUP BY run)"
    " SELECT ifnull(rows, 0), ifnull(instances, 0), ifnull(planners, 0), ifnull(failed, 0), ";
enum { COUNTS = 4 };

static enum status take_run(void *context, sqlite3_stmt *row, struct error *error)
{
    struct run_list *list = context;
    TRY(memory_reserve(&list->run, &list->capacity, list->count + (size_t)1, sizeof *list->run,
                       error));
    struct run_summary *run = &list->run[list->count++];
    *run = (struct run_summary){.rows = (uint64_t)sqlite3_column_int64(row, 0),
                                .instances = (uint64_t)sqlite3_column_int64(row, 1),
                                .planners = (uint64_t)sqlite3_column_int64(row, 2),
                                .failed = (uint64_t)sqlite3_column_int64(row, 3)};
    columns_read(&columns_of_runs, row, COUNTS, &run->run, &list->text, NULL);
    return text_check(&list->text, error);
}

enum status runs_list(struct store *store, struct run_list *list, struct error *error)
{
    struct text sql = {0};
    bool described = store->version >= SCHEMA_WITH_RUNS;
    text_append(&sql, "%s", select_counts);
    columns_list_to_read(&columns_of_runs, &sql, "known",
                         described ? store->version : columns_version());
    text_append(&sql, " FROM (SELECT %s AS place, * FROM ", described ? "rowid" : "0");
    if (described)
        text_append(&sql, "run");
    else
        schema_append_known_runs(&sql);
    text_append(&sql, ") AS known LEFT JOIN counts ON known.label = counts.run"
                      " ORDER BY known.started DESC, place DESC, known.label");
    enum status status = sqlite_ask_made(
        store, &sql, &(struct sqlite_question){.take = take_run, .context = list}, error);
    for (uint32_t i = 0; i < list->count && !status; i++)
        columns_point(&columns_of_runs, &list->run[i].run, &list->text);
    if (status)
        runs_free(list);
    return status;
}

void runs_free(struct run_list *list)
{
    memory_free(list->run);
    text_free(&list->text);
    *list = (struct run_list){0};
}

const char *runs_command(const struct run_list *list, const char *label)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->run[i].run.label, label) == 0)
            return list->run[i].run.command;
    return "";
}

static enum status take_status(void *context, sqlite3_stmt *row, struct error *error)
{
    struct run_statuses *statuses = context;
    (void)error;
    uint32_t i = statuses->count++;
    snprintf(statuses->of[i].status, sizeof statuses->of[i].status, "%s",
             (const char *)sqlite3_column_text(row, 0));
    statuses->of[i].rows = (uint64_t)sqlite3_column_int64(row, 1);
    statuses->of[i].wall_ns = (uint64_t)sqlite3_column_int64(row, 2);
    return STATUS_OK;
}

enum status runs_count_statuses(struct store *store, const char *label,
                                struct run_statuses *statuses, struct error *error)
{
    struct text sql = {0};
    *statuses = (struct run_statuses){0};
    text_append(&sql,
                "SELECT status, count(*), sum(wall_ns) FROM result WHERE run = ?1"
                " GROUP BY status ORDER BY 2 DESC, 1 LIMIT %d",
                RUNS_MOST_STATUSES);
    return sqlite_ask_made(store, &sql, &(struct sqlite_question){&label, 1, take_status, statuses},
                           error);
}

static enum status insert_run(struct store *store, const struct run_row *run,
                              const char *on_conflict, struct error *error)
{
    struct text sql = {0};
    SCOPED(sqlite_release) sqlite3_stmt *statement = NULL;
    int found;
    columns_insert(&columns_of_runs, "INSERT", &sql);
    text_append(&sql, " ON CONFLICT (label) DO %s", on_conflict);
    TRY(sqlite_prepare_made(store, &sql, &statement, error));
    struct column_binding binding = {.store = store, .statement = statement};
    TRY(columns_bind(&columns_of_runs, &binding, run, false, error));
    return sqlite_step(store, statement, &found, error);
}

enum status runs_write(struct store *store, const struct run_row *run, struct error *error)
{
    SCOPED(text_free) struct text update = {0};
    text_append(&update, "UPDATE SET ");
    for (unsigned i = 0; i < columns_of_runs.columns; i++) {
        const char *name = columns_of_runs.column[i].name;
        const char *kept = strcmp(name, "started") == 0 ? "run" : "excluded";
        text_append(&update, "%s%s = %s.%s", i ? ", " : "", name, kept, name);
    }
    TRY(text_check(&update, error));
    return insert_run(store, run, update.bytes, error);
}

enum status runs_write_new(struct store *store, const struct run_row *run, struct text *label,
                           struct error *error)
{
    enum { MOST_TRIED = 100000 };
    struct run_row tried = *run;
    enum status status = STATUS_OK;
    bool inserted = false;
    TRY(sqlite_begin(store, error));
    for (int number = 1; number < MOST_TRIED && !status && !inserted; number++) {
        label->length = 0;
        text_append(label, number > 1 ? "%s-%d" : "%s", run->label, number);
        status = text_check(label, error);
        tried.label = label->bytes;
        if (!status)
            status = insert_run(store, &tried, "NOTHING", error);
        inserted = !status && sqlite3_changes(store->database);
    }
    if (!status && !inserted)
        status = error_set_at(error, STATUS_INTERNAL, store->path, 0, "no free label like '%s'",
                              run->label);
    return sqlite_end(store, status, error);
}

static enum status take_label(void *label, sqlite3_stmt *row, struct error *error)
{
    text_append(label, "%s", (const char *)sqlite3_column_text(row, 0));
    return text_check(label, error);
}

enum status runs_find_newest(struct store *store, const char *build, const char *command,
                             struct text *label, struct error *error)
{
    const char *const texts[] = {build, command};
    return sqlite_ask(store,
                      "SELECT label FROM run WHERE build = ?1 AND substr(command, 1, length(?2)) "
                      "= ?2 ORDER BY started DESC, rowid DESC LIMIT 1",
                      &(struct sqlite_question){texts, 2, take_label, label}, error);
}

/* Deletes the rows of a run. Its measures and timelines are about instances, so they are deleted
   only with the whole run. */
static enum status delete_rows(struct store *store, const char *label, const char *planner,
                               struct runs_deleted *deleted, struct error *error)
{
    static const char *const statements[] = {
        ("DELETE FROM rectangle WHERE result IN (SELECT id FROM result WHERE run = ?1"
         " AND ifnull(planner = ?2, 1))"),
        "DELETE FROM measure WHERE run = ?1 AND ?2 IS NULL",
        "DELETE FROM timeline WHERE run = ?1 AND ?2 IS NULL",
        "DELETE FROM result WHERE run = ?1 AND ifnull(planner = ?2, 1)",
        "DELETE FROM run WHERE label = ?1 AND ?2 IS NULL",
    };
    const char *const texts[] = {label, planner};
    /* In the end the last two statements have been counted. */
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        TRY(sqlite_ask(store, statements[i], &(struct sqlite_question){texts, 2, NULL, NULL},
                       error));
        deleted->rows = deleted->runs;
        deleted->runs = (uint64_t)sqlite3_changes64(store->database);
    }
    return STATUS_OK;
}

enum status runs_delete(struct store *store, const char *label, const char *planner,
                        struct runs_deleted *deleted, struct error *error)
{
    *deleted = (struct runs_deleted){0};
    TRY(sqlite_begin(store, error));
    return sqlite_end(store, delete_rows(store, label, planner, deleted, error), error);
}

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
    memory_free_all(facts->runs, facts->hosts, facts->builds, facts->first_started,
                    facts->last_started);
    *facts = (struct result_facts){0};
}
