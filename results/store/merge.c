#include "results/store/merge.h"

#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "results/store/runs.h"
#include "results/store/schema.h"
#include "results/store/sqlite.h"

/* A cache that holds the indexes of a million rows, since the rows of a shard are inserted at
   places all over them. */
static const char use_large_cache[] = "PRAGMA cache_size = -524288";

/* A new file needs no journal: nobody knows it yet, and it is removed if the merge fails. */
static const char log_nothing[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";

/* A table that both stores have. */
struct joined_table {
    struct store *into, *from;
    sqlite3_stmt *read; /* reads every row of `from`: the columns of `into`, then the row's id */
    int columns;        /* how many of them `into` has */
    sqlite3_stmt *insert;
    sqlite3_stmt *compare; /* finds the row with the same key: see COMPARED_ID */
    sqlite3_stmt *delete;
    sqlite3_stmt *read_layout, *insert_layout; /* of a table whose rows have layouts, else NULL */
    const char *run; /* the run whose rows are joined; NULL for all rows */
    bool newest;
    struct merge_counts *counts;
};

static const char select_tables[] =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'rectangle' ORDER BY name";

static const char select_columns[] =
    "SELECT group_concat(',' || name || ',', '') FROM pragma_table_info(?1)";

/* The four statements about table ?1, of which `from` has the columns ?2. SQLite knows its columns
   and its key, so that a new table or column is joined without a change here; it only must have
   one unique index and a column "started". Rows of one job are compared. Shards of a run, however,
   are one run: it lasted from the first start to the last end, by the command started last; other
   texts that differ all stay, and a number that differs is not known. */
static const char select_statements[] =
    "WITH part AS (SELECT name, type FROM pragma_table_info(?1) WHERE name <> 'id'), keyed AS "
    "(SELECT name FROM pragma_index_info(  (SELECT name FROM pragma_index_list(?1) WHERE "
    "\"unique\"))), united AS (SELECT replace(CASE   WHEN name = 'started' THEN '# = min(#, "
    "excluded.#)'   WHEN name = 'ended' THEN '# = max(#, excluded.#)'   WHEN name = 'command' "
    "THEN '# = iif(excluded.started > started, excluded.#, #)'   WHEN type = 'TEXT' THEN '# = "
    "CASE WHEN # = '''' THEN excluded.#     WHEN instr(#, excluded.#) THEN # ELSE # || '', '' || "
    "excluded.# END'   ELSE '# = iif(# = excluded.#, #, 0)' END, '#', name) AS name FROM part  "
    "WHERE name NOT IN (SELECT name FROM keyed)), list AS (SELECT (SELECT group_concat(name) FROM "
    "part) AS columns,  (SELECT group_concat(':' || name) FROM part) AS given,  (SELECT "
    "group_concat(name) FROM keyed) AS key,  (SELECT group_concat(':' || name) FROM keyed) AS "
    "given_key,  (SELECT group_concat(CASE WHEN instr(?2, ',' || name || ',') THEN name    WHEN "
    "type = 'TEXT' THEN '''''' ELSE '0' END) FROM part) AS to_read) SELECT 'SELECT ' || to_read "
    "|| ', rowid FROM ' || ?1,  'INSERT INTO ' || ?1 || ' (' || columns || ') VALUES (' || given "
    "|| ') ON CONFLICT DO ' ||    iif(?1 = 'run', 'UPDATE SET ' || (SELECT group_concat(name) "
    "FROM united), 'NOTHING'),  'SELECT rowid, (' || columns || ') IS (' || given || '), started "
    "< :started, ' || key ||    ' FROM ' || ?1 || ' WHERE (' || key || ') = (' || given_key || "
    "')',  'DELETE FROM ' || ?1 || ' WHERE rowid = ?1' FROM list";

/* Asks a question about a table, with at most two texts as parameters; one row of texts is the
   answer. The caller finalises the statement. */
static enum status ask(struct store *store, const char *question, const char *const text[2],
                       sqlite3_stmt **answer, struct error *error)
{
    int found;
    TRY(sqlite_prepare(store, question, answer, error));
    for (int i = 0; i < sqlite3_bind_parameter_count(*answer); i++)
        sqlite3_bind_text(*answer, i + 1, text[i], -1, SQLITE_TRANSIENT);
    return sqlite_step(store, *answer, &found, error);
}

static const char *answer_text(sqlite3_stmt *answer, int column)
{
    return (const char *)sqlite3_column_text(answer, column);
}

/* Prepares the statements for a table; table->read stays NULL where `from` has no such table. */
static enum status prepare_table(struct joined_table *table, const char *name, struct error *error)
{
    SCOPED(sqlite_release) sqlite3_stmt *columns = NULL;
    SCOPED(sqlite_release) sqlite3_stmt *statements = NULL;
    TRY(ask(table->from, select_columns, (const char *[2]){name}, &columns, error));
    const char *there = answer_text(columns, 0);
    bool old_runs = !there && strcmp(name, "run") == 0;
    if (!there && !old_runs)
        return STATUS_OK;
    TRY(ask(table->into, select_statements, (const char *[2]){name, there ? there : ""},
            &statements, error));
    TRY(sqlite_prepare(table->into, answer_text(statements, 1), &table->insert, error));
    TRY(sqlite_prepare(table->into, answer_text(statements, 2), &table->compare, error));
    TRY(sqlite_prepare(table->into, answer_text(statements, 3), &table->delete, error));
    /* Prepares reading the rows; a file of an older schema has no table of runs, so that what
       its rows say about them is read instead. */
    struct text sql = {0};
    text_append(&sql, "%s", old_runs ? "SELECT *, 0 FROM " : answer_text(statements, 0));
    if (old_runs)
        schema_append_known_runs(&sql);
    if (table->run)
        text_append(&sql,
                    strcmp(name, "run") ? " WHERE run = ?1 ORDER BY rowid" : " WHERE label = ?1");
    TRY(sqlite_prepare_made(table->from, &sql, &table->read, error));
    table->columns = sqlite3_column_count(table->read) - 1;
    if (table->run)
        sqlite3_bind_text(table->read, 1, table->run, -1, SQLITE_TRANSIENT);
    if (strcmp(name, "result") == 0) {
        table->insert_layout = table->into->insert_rectangle;
        TRY(sqlite_prepare(table->from,
                           "SELECT * FROM rectangle WHERE result = ?1 ORDER BY position",
                           &table->read_layout, error));
    }
    return STATUS_OK;
}

/* Copies the values of the columns from `first` to before `end` of a row to the parameters with the
   same numbers. */
static enum status pass_values(struct joined_table *table, sqlite3_stmt *row, int first, int end,
                               sqlite3_stmt *statement, struct error *error)
{
    for (int i = first; i < end; i++)
        if (sqlite3_bind_value(statement, i + 1, sqlite3_column_value(row, i)) != SQLITE_OK)
            return sqlite_error(table->into, "write a row", error);
    return STATUS_OK;
}

/* Copies the layout of the row that was read last to the row that was inserted last. */
static enum status copy_layout(struct joined_table *table, struct error *error)
{
    int64_t id = sqlite3_last_insert_rowid(table->into->database);
    int found, columns = sqlite3_bind_parameter_count(table->insert_layout);
    sqlite3_bind_value(table->read_layout, 1, sqlite3_column_value(table->read, table->columns));
    for (;;) {
        TRY(sqlite_step(table->from, table->read_layout, &found, error));
        if (!found)
            return STATUS_OK;
        TRY(pass_values(table, table->read_layout, 1, columns, table->insert_layout, error));
        sqlite3_bind_int64(table->insert_layout, 1, id);
        TRY(sqlite_once(table->into, table->insert_layout, error));
    }
}

/* Inserts the row that was read last; *inserted is false where a row with the same key exists. */
static enum status insert_row(struct joined_table *table, bool *inserted, struct error *error)
{
    TRY(pass_values(table, table->read, 0, table->columns, table->insert, error));
    TRY(sqlite_once(table->into, table->insert, error));
    *inserted = sqlite3_changes(table->into->database) > 0;
    if (!*inserted || !table->read_layout)
        return STATUS_OK;
    enum status status = copy_layout(table, error);
    sqlite3_reset(table->read_layout);
    return status;
}

/* The columns of the row that was found: its id, whether it is equal to the one that was read,
   whether it is older, and from COMPARED_KEY on its key. */
enum { COMPARED_ID, COMPARED_EQUAL, COMPARED_OLDER, COMPARED_KEY };

static enum status refuse_row(const struct joined_table *table, struct error *error)
{
    SCOPED(text_free) struct text key = {0};
    for (int i = COMPARED_KEY; i < sqlite3_column_count(table->compare); i++)
        text_append(&key, "%s %s '%s'", i > COMPARED_KEY ? "," : "",
                    sqlite3_column_name(table->compare, i), answer_text(table->compare, i));
    TRY(text_check(&key, error));
    return error_set_at(error, STATUS_NO, table->from->path, 0,
                        "a job has another result than before, expected the same:%s", key.bytes);
}

/* Decides between the row that was read last and another one with the same key. */
static enum status settle_row(struct joined_table *table, struct error *error)
{
    int found;
    bool inserted;
    TRY(pass_values(table, table->read, 0, table->columns, table->compare, error));
    TRY(sqlite_step(table->into, table->compare, &found, error));
    if (sqlite3_column_int(table->compare, COMPARED_EQUAL)) {
        table->counts->known++;
        return STATUS_OK;
    }
    if (!table->newest)
        return refuse_row(table, error);
    table->counts->replaced++;
    if (!sqlite3_column_int(table->compare, COMPARED_OLDER))
        return STATUS_OK;
    int64_t id = sqlite3_column_int64(table->compare, COMPARED_ID);
    sqlite3_reset(table->compare);
    if (table->read_layout) {
        sqlite3_bind_int64(table->into->forget_rectangles, 1, id);
        TRY(sqlite_once(table->into, table->into->forget_rectangles, error));
    }
    sqlite3_bind_int64(table->delete, 1, id);
    TRY(sqlite_once(table->into, table->delete, error));
    return insert_row(table, &inserted, error);
}

static void free_table(struct joined_table *table)
{
    sqlite3_finalize(table->read);
    sqlite3_finalize(table->insert);
    sqlite3_finalize(table->compare);
    sqlite3_finalize(table->delete);
    sqlite3_finalize(table->read_layout);
}

static enum status join_table(const struct joined_table *stores, const char *name,
                              struct error *error)
{
    SCOPED(free_table) struct joined_table table = *stores;
    struct merge_counts ignored = {0};
    TRY(prepare_table(&table, name, error));
    if (!table.read_layout)
        table.counts = &ignored;
    for (int found = table.read != NULL; found;) {
        bool inserted;
        TRY(sqlite_step(table.from, table.read, &found, error));
        if (!found)
            break;
        TRY(insert_row(&table, &inserted, error));
        if (inserted) {
            table.counts->added++;
            continue;
        }
        enum status status = settle_row(&table, error);
        sqlite3_reset(table.compare);
        TRY(status);
    }
    return STATUS_OK;
}

static enum status join_tables(const struct joined_table *stores, struct error *error)
{
    SCOPED(sqlite_release) sqlite3_stmt *tables = NULL;
    int found;
    TRY(sqlite_prepare(stores->into, select_tables, &tables, error));
    for (;;) {
        TRY(sqlite_step(stores->into, tables, &found, error));
        if (!found)
            return STATUS_OK;
        TRY(join_table(stores, answer_text(tables, 0), error));
    }
}

/* Adds all rows of one run to a store that does not have it. The caller begins and ends the
   transaction. */
static enum status merge_run(struct store *into, struct store *from, const char *run,
                             struct error *error)
{
    struct merge_counts counts;
    const struct joined_table table = {.into = into, .from = from, .run = run, .counts = &counts};
    return join_tables(&table, error);
}

static enum status add_files(struct store *into, const struct merge_request *request,
                             struct merge_counts *counts, struct error *error)
{
    enum status status = STATUS_OK;
    TRY(sqlite_run(into, use_large_cache, error));
    TRY(sqlite_begin(into, error));
    for (uint32_t i = 0; !status && i < request->paths; i++) {
        SCOPED(store_release) struct store *from = NULL;
        counts[i] = (struct merge_counts){0};
        status = store_open(request->path[i], STORE_READ, &from, error);
        const struct joined_table table = {
            .into = into, .from = from, .newest = request->newest, .counts = &counts[i]};
        if (!status)
            status = join_tables(&table, error);
    }
    return sqlite_end(into, status, error);
}

/* The indexes that are not needed while rows are inserted into a new file are dropped and created
   again, since making them at the end is faster. */
static enum status fill_new(struct store *into, const struct merge_request *request,
                            struct merge_counts *counts, struct error *error)
{
    static const char select_indexes[] =
        "SELECT group_concat('DROP INDEX ' || name, ';'), group_concat(sql, ';')"
        " FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
    SCOPED(text_free) struct text dropping = {0};
    SCOPED(text_free) struct text creation = {0};
    SCOPED(sqlite_release) sqlite3_stmt *indexes = NULL;
    TRY(sqlite_run(into, log_nothing, error));
    TRY(ask(into, select_indexes, (const char *[2]){NULL}, &indexes, error));
    text_append(&dropping, "%s", answer_text(indexes, 0));
    text_append(&creation, "%s", answer_text(indexes, 1));
    TRY(text_check(&dropping, error));
    TRY(text_check(&creation, error));
    sqlite3_reset(indexes);
    TRY(sqlite_run(into, dropping.bytes, error));
    TRY(add_files(into, request, counts, error));
    return sqlite_run(into, creation.bytes, error);
}

enum status merge_stores(const struct merge_request *request, const char *output,
                         struct merge_counts *counts, struct error *error)
{
    SCOPED(store_release) struct store *into = NULL;
    struct file_replace replace;
    struct stat found;
    if (stat(output, &found) == 0) {
        TRY(store_open(output, STORE_WRITE, &into, error));
        return add_files(into, request, counts, error);
    }
    enum status status = file_replace_open(&replace, output, error);
    if (!status)
        status = store_open(replace.beside, STORE_WRITE, &into, error);
    if (!status)
        status = fill_new(into, request, counts, error);
    store_close(into);
    into = NULL;
    return file_replace_close(&replace, status, error);
}

static bool is_wanted(const struct merge_transfer *transfer, const char *label)
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

/* Checks the labels in both files before anything is copied. */
static enum status check_labels(const struct merge_transfer *transfer,
                                const struct run_list *source, struct store *target,
                                struct error *error)
{
    SCOPED(runs_free) struct run_list there = {0};
    SCOPED(text_free) struct text known = {0};
    for (uint32_t i = 0; i < transfer->labels; i++) {
        if (has_run(source, transfer->label[i]))
            continue;
        for (uint32_t k = 0; k < source->count; k++)
            text_append(&known, "%s%s", k ? ", " : "", source->run[k].run.label);
        return error_set_at(error, STATUS_NO, transfer->source, 0, "no run '%s', there are: %s",
                            transfer->label[i],
                            known.bytes && !known.failed ? known.bytes : "none");
    }
    TRY(runs_list(target, &there, error));
    for (uint32_t i = 0; i < source->count; i++) {
        const char *label = source->run[i].run.label;
        if (is_wanted(transfer, label) && has_run(&there, label))
            return error_set_at(error, STATUS_NO, target->path, 0,
                                "has a run '%s' already: delete it first, or take another file",
                                label);
    }
    return STATUS_OK;
}

enum status merge_transfer_runs(struct store *target, const struct merge_transfer *transfer,
                                struct merge_transferred *done, struct error *error)
{
    SCOPED(runs_free) struct run_list runs = {0};
    SCOPED(store_release) struct store *source = NULL;
    *done = (struct merge_transferred){0};
    TRY(store_open(transfer->source, STORE_READ, &source, error));
    TRY(runs_list(source, &runs, error));
    TRY(check_labels(transfer, &runs, target, error));
    TRY(sqlite_begin(target, error));
    enum status status = STATUS_OK;
    for (uint32_t i = runs.count; i-- && !status;) { /* the oldest first, to keep their order */
        if (!is_wanted(transfer, runs.run[i].run.label))
            continue;
        status = merge_run(target, source, runs.run[i].run.label, error);
        done->runs += !status;
        done->rows += status ? 0 : runs.run[i].rows;
    }
    return sqlite_end(target, status, error);
}
