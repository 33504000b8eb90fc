#include "results/store/transfer.h"

#include <string.h>

#include "results/store/columns.h"
#include "results/store/runs.h"
#include "results/store/schema.h"
#include "results/store/sqlite.h"

static bool is_wanted(const struct transfer *transfer, const char *label)
{
    for (uint32_t i = 0; i < transfer->labels; i++)
        if (strcmp(transfer->label[i], label) == 0)
            return true;
    return !transfer->labels;
}

static bool has_run(const struct run_list *runs, const char *label)
{
    for (uint32_t i = 0; i < runs->count; i++)
        if (strcmp(runs->run[i].run.label, label) == 0)
            return true;
    return false;
}

static enum status refuse_missing(const char *source, const struct run_list *runs,
                                  const char *label, struct error *error)
{
    struct text known = {0};
    for (uint32_t i = 0; i < runs->count; i++)
        text_append(&known, "%s%s", i ? ", " : "", runs->run[i].run.label);
    error_set_at(error, STATUS_NO, source, 0, "no run '%s', there are: %s", label,
                 known.bytes && !known.failed ? known.bytes : "none");
    text_free(&known);
    return STATUS_NO;
}

/* Checks the labels in both files before anything is copied. */
static enum status check_labels(const struct transfer *transfer, const struct run_list *source,
                                struct store *target, struct error *error)
{
    struct run_list there = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < transfer->labels; i++)
        if (!has_run(source, transfer->label[i]))
            return refuse_missing(transfer->source, source, transfer->label[i], error);
    TRY(runs_list(target, &there, error));
    for (uint32_t i = 0; i < source->count && !status; i++) {
        const char *label = source->run[i].run.label;
        if (is_wanted(transfer, label) && has_run(&there, label))
            status = error_set_at(error, STATUS_NO, target->path, 0,
                                  "has a run '%s' already: delete it first, or take another file",
                                  label);
    }
    runs_free(&there);
    return status;
}

/* What the statements below have to know about the source, which is attached to the target under
   that name. */
struct source {
    int version;
    bool has_measures, has_timelines;
};

static void append_copy(struct text *sql, const struct column_table *table, const char *number,
                        int version)
{
    text_append(sql, "INSERT INTO main.%s (%s", table->name, *number ? "id, " : "");
    columns_list(table, sql, "", false);
    text_append(sql, ") SELECT %s%s", number, *number ? ", " : "");
    columns_list_to_read(table, sql, "known", version);
}

#define IS_WANTED " IN (SELECT label FROM temp.wanted)"
/* Rows get numbers above those of the target; their rectangles refer to the new numbers. */
#define MOVED(id) id " + (SELECT number FROM temp.last)"

static void append_statements(struct text *sql, const struct source *source)
{
    bool described = source->version >= SCHEMA_WITH_RUNS;
    text_append(sql, "CREATE TEMP TABLE last AS SELECT ifnull(max(id), 0) AS number FROM"
                     " main.result;");
    append_copy(sql, &columns_of_runs, "", described ? source->version : columns_version());
    text_append(sql, " FROM ");
    if (described)
        text_append(sql, "source.run");
    else
        schema_append_known_runs(sql, "source");
    text_append(sql, " AS known WHERE label" IS_WANTED ";");
    append_copy(sql, &columns_of_results, MOVED("known.id"), source->version);
    text_append(
        sql,
        " FROM source.result AS known WHERE run" IS_WANTED ";"
        "INSERT INTO main.rectangle SELECT " MOVED(
            "result") ", position, label, lower, upper, bytes_offset, size_bytes, region_group,"
                      " block FROM source.rectangle WHERE result IN (SELECT id FROM source.result"
                      " WHERE run" IS_WANTED ");");
    if (source->has_measures)
        text_append(sql, "INSERT INTO main.measure SELECT * FROM source.measure"
                         " WHERE run" IS_WANTED ";");
    if (source->has_timelines)
        text_append(sql, "INSERT INTO main.timeline SELECT * FROM source.timeline"
                         " WHERE run" IS_WANTED ";");
}

static enum status list_wanted(struct store *target, const struct transfer *transfer,
                               const struct run_list *runs, struct transferred *done,
                               struct error *error)
{
    TRY(sqlite_run(target, "CREATE TEMP TABLE wanted (label TEXT PRIMARY KEY)", error));
    for (uint32_t i = 0; i < runs->count; i++) {
        const char *label = runs->run[i].run.label;
        if (!is_wanted(transfer, label))
            continue;
        TRY(sqlite_ask(target, "INSERT INTO temp.wanted VALUES (?1)",
                       &(struct sqlite_question){.text = &label, .texts = 1}, error));
        done->runs++;
        done->rows += runs->run[i].rows;
    }
    return STATUS_OK;
}

static const char count_tables[] = "SELECT count(*) FROM source.sqlite_master WHERE name = ?1";

static enum status copy_attached(struct store *target, const struct transfer *transfer,
                                 const struct run_list *runs, struct transferred *done,
                                 struct error *error)
{
    struct text sql = {0};
    int64_t version, measures, timelines;
    TRY(list_wanted(target, transfer, runs, done, error));
    TRY(sqlite_number(target, "PRAGMA source.user_version", NULL, &version, error));
    TRY(sqlite_number(target, count_tables, "measure", &measures, error));
    TRY(sqlite_number(target, count_tables, "timeline", &timelines, error));
    const struct source source = {(int)version, measures > 0, timelines > 0};
    append_statements(&sql, &source);
    enum status status = text_check(&sql, error);
    if (!status)
        status = sqlite_run(target, sql.bytes, error);
    text_free(&sql);
    return status;
}

static enum status read_source(const char *path, struct run_list *runs, struct error *error)
{
    struct store *source;
    TRY(store_open(path, STORE_READ, &source, error));
    enum status status = runs_list(source, runs, error);
    store_close(source);
    return status;
}

/* Detaches the source. Temporary tables disappear with the transaction, or here. */
static enum status detach(struct store *target, enum status status, struct error *error)
{
    struct error ignored;
    enum status detached = sqlite_run(target,
                                      "DROP TABLE IF EXISTS temp.wanted;"
                                      "DROP TABLE IF EXISTS temp.last; DETACH source",
                                      status ? &ignored : error);
    return status ? status : detached;
}

enum status transfer_runs(struct store *target, const struct transfer *transfer,
                          struct transferred *done, struct error *error)
{
    struct run_list runs = {0};
    enum status status;
    *done = (struct transferred){0};
    TRY_OR_DONE(status, read_source(transfer->source, &runs, error));
    /* The labels are checked before the source is attached: if the source is the target itself, it
       would wait for its own lock. */
    TRY_OR_DONE(status, check_labels(transfer, &runs, target, error));
    if (!runs.count)
        goto done;
    TRY_OR_DONE(status, sqlite_ask(target, "ATTACH ?1 AS source",
                                   &(struct sqlite_question){.text = &transfer->source, .texts = 1},
                                   error));
    status = sqlite_begin(target, error);
    if (!status)
        status = sqlite_end(target, copy_attached(target, transfer, &runs, done, error), error);
    status = detach(target, status, error);
done:
    runs_free(&runs);
    return status;
}
