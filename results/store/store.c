#include "results/store/store.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "results/store/columns.h"
#include "results/store/query.h"
#include "results/store/reading.h"
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

enum status store_open(const char *path, enum store_mode mode, struct store **store,
                       struct error *error)
{
    /* SQLite would create a missing file, and its message for a folder does not say that it is
       one. */
    struct stat found;
    bool there = stat(path, &found) == 0;
    *store = NULL;
    if (!there && errno != ENOENT)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    if (!there && mode == STORE_READ)
        return error_set_at(
            error, STATUS_BAD_INPUT, path, 0,
            "cannot open: No such file or directory; memplan bench --db %s makes it", path);
    if (there && !S_ISREG(found.st_mode))
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "no plain file, expected results");

    SCOPED(store_release) struct store *opened = NULL;
    TRY(memory_create(&opened, 1, sizeof *opened, error));
    opened->path = memory_copy_text(path);
    if (!opened->path)
        return error_no_memory(error);
    TRY(sqlite_open(opened, mode == STORE_WRITE, error));
    if (mode == STORE_READ) {
        TRY(schema_check(opened, error));
    } else {
        TRY(schema_create(opened, error));
        TRY(sqlite_log_changes(opened, error));
        TRY(prepare_writing(opened, error));
    }
    HAND_OVER(opened, store);
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
    if (store->kept)
        reading_free(store->kept);
    for (int each = 0; each < 2; each++)
        query_forget(store->answers[each]);
    memory_free_all(store->kept, store->path, store);
}

enum status store_keep_rows(struct store *store, struct error *error)
{
    return store->kept ? STATUS_OK : memory_create(&store->kept, 1, sizeof *store->kept, error);
}

static enum status write_all(struct store *store, const struct result_row *row,
                             const struct result_rectangle *rectangles, uint32_t count,
                             struct error *error)
{
    /* A run that has no description yet gets what its first row says about it. */
    const char *const run[] = {row->run, row->started, row->build, row->host};
    struct column_binding of_run = {.store = store, .statement = store->insert_run};
    for (size_t i = 0; i < sizeof run / sizeof *run; i++)
        TRY(columns_bind_text(&of_run, run[i], error));
    TRY(sqlite_once(store, store->insert_run, error));

    struct column_binding of_row = {.store = store, .statement = store->insert};
    int found = 0;
    enum status status = columns_bind(&columns_of_results, &of_row, row, false, error);
    if (!status)
        status = sqlite_step(store, store->insert, &found, error);
    int64_t id = sqlite3_column_int64(store->insert, 0);
    sqlite3_reset(store->insert);
    TRY(status);
    sqlite3_bind_int64(store->forget_rectangles, 1, id);
    TRY(sqlite_once(store, store->forget_rectangles, error));
    for (uint32_t i = 0; i < count; i++) {
        const struct result_rectangle *of = &rectangles[i];
        struct column_binding binding = {.store = store, .statement = store->insert_rectangle};
        TRY(columns_bind_integer(&binding, "result", (uint64_t)id, error));
        TRY(columns_bind_integer(&binding, "position", i, error));
        TRY(columns_bind_text(&binding, of->label, error));
        TRY(columns_bind_integer(&binding, "lower", of->lower, error));
        TRY(columns_bind_integer(&binding, "upper", of->upper, error));
        TRY(columns_bind_integer(&binding, "offset", of->offset, error));
        TRY(columns_bind_integer(&binding, "size", of->size, error));
        TRY(columns_bind_integer(&binding, "group", of->group, error));
        TRY(columns_bind_integer(&binding, "block", of->block != 0, error));
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

enum status store_shrink(struct store *store, struct error *error)
{
    sqlite3_busy_timeout(store->database, 0);
    enum status status = sqlite_run(store, "PRAGMA temp_store = FILE; VACUUM", error);
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

enum status store_has(struct store *store, const struct result_row *row, int *found,
                      struct error *error)
{
    if (!store->find)
        return error_set_at(error, STATUS_INTERNAL, store->path, 0, "opened for reading only");
    struct column_binding binding = {.store = store, .statement = store->find};
    enum status status = columns_bind(&columns_of_results, &binding, row, true, error);
    if (!status)
        status = sqlite_step(store, store->find, found, error);
    sqlite3_reset(store->find);
    return status;
}

enum status store_list_questions(struct store *store, const char *setting, struct names *questions,
                                 struct error *error)
{
    return sqlite_ask(store,
                      "SELECT DISTINCT digest || char(10) || policy || char(10) || planner ||"
                      " char(10) || options || char(10) || order_name FROM result"
                      " WHERE ?1 IS NULL OR substr(settings || ' ', 1, length(?1) + 1) = ?1 || ' '",
                      &(struct sqlite_question){&setting, 1, sqlite_take_name, questions}, error);
}

void store_append_question(const struct result_row *row, struct text *question)
{
    text_append(question, "%s\n%s\n%s\n%s\n%s", row->digest, row->policy, row->planner,
                row->options, row->order_name);
}
