#include "results/store/store.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/text.h"
#include "results/store/columns.h"
#include "results/store/schema.h"
#include "results/store/sqlite.h"

static enum status prepare_writing(struct store *store, struct error *error)
{
    struct text sql = {0};
    columns_insert(&columns_of_results, "INSERT", &sql);
    text_append(&sql, " ON CONFLICT DO UPDATE SET ");
    for (unsigned i = 0; i < columns_of_results.columns; i++)
        text_append(&sql, "%s%s = excluded.%s", i ? ", " : "", columns_of_results.column[i].name,
                    columns_of_results.column[i].name);
    text_append(&sql, " RETURNING id");
    TRY(sqlite_prepare_made(store, &sql, &store->insert, error));
    TRY(sqlite_prepare(store,
                       "INSERT OR IGNORE INTO run (label, started, build, host)"
                       " VALUES (?1, ?2, ?3, ?4)",
                       &store->insert_run, error));
    TRY(sqlite_prepare(store, "DELETE FROM rectangle WHERE result = ?1", &store->forget_rectangles,
                       error));
    TRY(sqlite_prepare(store, "INSERT INTO rectangle VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
                       &store->insert_rectangle, error));
    text_append(&sql, "SELECT 1 FROM result WHERE (");
    columns_list(&columns_of_results, &sql, "", true);
    text_append(&sql, ") = (");
    columns_list(&columns_of_results, &sql, ":", true);
    text_append(&sql, ")");
    return sqlite_prepare_made(store, &sql, &store->find, error);
}

static enum status prepare_store(struct store *store, enum store_mode mode, struct error *error)
{
    TRY(sqlite_open(store, mode == STORE_WRITE, error));
    if (mode == STORE_READ)
        return schema_check(store, error);
    TRY(schema_create(store, error));
    TRY(sqlite_log_changes(store, error));
    return prepare_writing(store, error);
}

/* Checks the path before SQLite opens it: SQLite would create a missing file, and its message for a
   folder does not say that it is one. */
static enum status check_file(const char *path, enum store_mode mode, struct error *error)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        if (mode == STORE_WRITE && errno == ENOENT)
            return STATUS_OK;
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    }
    if (!S_ISREG(found.st_mode))
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "no plain file, expected results");
    return STATUS_OK;
}

enum status store_open(const char *path, enum store_mode mode, struct store **store,
                       struct error *error)
{
    *store = NULL;
    TRY(check_file(path, mode, error));
    struct store *opened;
    TRY(memory_create(&opened, 1, sizeof *opened, error));
    opened->path = memory_copy_text(path);
    enum status status = opened->path ? prepare_store(opened, mode, error) : error_no_memory(error);
    if (status)
        store_close(opened);
    else
        *store = opened;
    return status;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    sqlite3_finalize(store->insert_run);
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->forget_rectangles);
    sqlite3_finalize(store->insert_rectangle);
    sqlite_close(store);
    memory_free(store->path);
    memory_free(store);
}

static enum status bind_row(struct store *store, sqlite3_stmt *statement,
                            const struct result_row *row, bool key_only, struct error *error)
{
    struct column_binding binding = {.store = store, .statement = statement};
    return columns_bind(&columns_of_results, &binding, row, key_only, error);
}

/* Adds a run that has no description yet, with what its first row says about it. */
static enum status insert_run(struct store *store, const struct result_row *row,
                              struct error *error)
{
    const char *const values[] = {row->run, row->started, row->build, row->host};
    struct column_binding binding = {.store = store, .statement = store->insert_run};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        TRY(columns_bind_text(&binding, values[i], error));
    return sqlite_once(store, store->insert_run, error);
}

static enum status insert_row(struct store *store, const struct result_row *row, int64_t *id,
                              struct error *error)
{
    int found = 0;
    enum status status;
    TRY_OR_DONE(status, bind_row(store, store->insert, row, false, error));
    TRY_OR_DONE(status, sqlite_step(store, store->insert, &found, error));
    *id = sqlite3_column_int64(store->insert, 0);
done:
    sqlite3_reset(store->insert);
    return status;
}

static enum status write_all(struct store *store, const struct result_row *row,
                             const struct result_rectangle *rectangles, uint32_t count,
                             struct error *error)
{
    int64_t id;
    TRY(insert_run(store, row, error));
    TRY(insert_row(store, row, &id, error));
    sqlite3_bind_int64(store->forget_rectangles, 1, id);
    TRY(sqlite_once(store, store->forget_rectangles, error));
    for (uint32_t i = 0; i < count; i++) {
        struct column_binding binding = {.store = store, .statement = store->insert_rectangle};
        TRY(columns_bind_integer(&binding, "result", (uint64_t)id, error));
        TRY(columns_bind_integer(&binding, "position", i, error));
        TRY(columns_bind_text(&binding, rectangles[i].label, error));
        TRY(columns_bind_integer(&binding, "lower", rectangles[i].lower, error));
        TRY(columns_bind_integer(&binding, "upper", rectangles[i].upper, error));
        TRY(columns_bind_integer(&binding, "offset", rectangles[i].offset, error));
        TRY(columns_bind_integer(&binding, "size", rectangles[i].size, error));
        TRY(columns_bind_integer(&binding, "group", rectangles[i].group, error));
        TRY(columns_bind_integer(&binding, "block", rectangles[i].block != 0, error));
        TRY(sqlite_once(store, store->insert_rectangle, error));
    }
    return STATUS_OK;
}

enum status store_begin(struct store *store, struct error *error)
{
    TRY(sqlite_begin(store, error));
    store->begun = true;
    return STATUS_OK;
}

enum status store_end(struct store *store, enum status status, struct error *error)
{
    store->begun = false;
    return sqlite_end(store, status, error);
}

enum status store_write(struct store *store, const struct result_row *row,
                        const struct result_rectangle *rectangles, uint32_t count,
                        struct error *error)
{
    if (!store->insert)
        return error_set_at(error, STATUS_INTERNAL, store->path, 0, "opened for reading only");
    if (store->begun)
        return write_all(store, row, rectangles, count, error);
    TRY(sqlite_begin(store, error));
    return sqlite_end(store, write_all(store, row, rectangles, count, error), error);
}

enum status store_has(struct store *store, const struct result_row *row, int *found,
                      struct error *error)
{
    if (!store->find)
        return error_set_at(error, STATUS_INTERNAL, store->path, 0, "opened for reading only");
    enum status status = bind_row(store, store->find, row, true, error);
    if (!status)
        status = sqlite_step(store, store->find, found, error);
    sqlite3_reset(store->find);
    return status;
}
