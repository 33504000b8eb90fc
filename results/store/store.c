#include "results/store/store.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/memory.h"
#include "core/text.h"
#include "results/store/columns.h"
#include "results/store/sqlite.h"

enum { BUSY_TIMEOUT_MS = 60000, WAL_ATTEMPTS = 200, WAL_PAUSE_NS = 20000000 };

/* Until the file is in WAL mode SQLite may answer "locked" without waiting for its timeout. */
static enum status switch_to_wal(struct store *store, struct error *error)
{
    const struct timespec pause = {.tv_nsec = WAL_PAUSE_NS};
    enum status status = STATUS_LIMIT;
    for (int attempt = 0; status == STATUS_LIMIT && attempt < WAL_ATTEMPTS; attempt++) {
        if (attempt)
            nanosleep(&pause, NULL);
        status = handle_run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error);
    }
    return status;
}

static enum status prepare_writing(struct store *store, struct error *error)
{
    struct text sql = {0};
    enum status status;
    text_append(&sql, "INSERT INTO result (");
    columns_list(&sql, "", "", false);
    text_append(&sql, ") VALUES (");
    columns_list(&sql, ":", "", false);
    text_append(&sql, ") ON CONFLICT DO UPDATE SET ");
    for (unsigned i = 0; i < columns_count(); i++)
        text_append(&sql, "%s%s = excluded.%s", i ? ", " : "", columns_at(i)->name,
                    columns_at(i)->name);
    text_append(&sql, " RETURNING id");
    TRY_OR_DONE(status, text_check(&sql, error));
    TRY_OR_DONE(status, handle_prepare(store, sql.bytes, &store->insert, error));
    TRY_OR_DONE(status, handle_prepare(store, "DELETE FROM rectangle WHERE result = ?1",
                                       &store->forget_rectangles, error));
    TRY_OR_DONE(status,
                handle_prepare(store, "INSERT INTO rectangle VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
                               &store->insert_rectangle, error));
done:
    text_free(&sql);
    return status;
}

static enum status prepare_finding(struct store *store, struct error *error)
{
    struct text sql = {0};
    text_append(&sql, "SELECT 1 FROM result WHERE (");
    columns_list(&sql, "", "", true);
    text_append(&sql, ") = (");
    columns_list(&sql, ":", "", true);
    text_append(&sql, ")");
    enum status status = text_check(&sql, error);
    if (!status)
        status = handle_prepare(store, sql.bytes, &store->find, error);
    text_free(&sql);
    return status;
}

static enum status prepare_store(struct store *store, enum store_mode mode, struct error *error)
{
    sqlite3_busy_timeout(store->database, BUSY_TIMEOUT_MS);
    if (mode == STORE_READ) {
        TRY(handle_check_schema(store, error));
    } else {
        TRY(handle_create_schema(store, error));
        TRY(switch_to_wal(store, error));
        TRY(prepare_writing(store, error));
    }
    return prepare_finding(store, error);
}

/* SQLite creates a file that is not there, and its text for a folder says nothing of it. */
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

static enum status open_file(struct store *store, const char *name, int flags, enum store_mode mode,
                             struct error *error)
{
    if (sqlite3_open_v2(name, &store->database, flags, NULL) != SQLITE_OK)
        return handle_error(store, "open", error);
    return prepare_store(store, mode, error);
}

/* Reading in WAL mode writes a file beside the database. In a folder where that is forbidden nobody
   else writes either, and unless a log was left behind the file itself is all there is. */
static bool is_sealed(const struct store *store)
{
    struct text log = {0};
    struct stat found;
    int code = sqlite3_errcode(store->database) & 0xff;
    text_append(&log, "%s-wal", store->path);
    bool sealed = !log.failed && (code == SQLITE_READONLY || code == SQLITE_CANTOPEN) &&
                  stat(log.bytes, &found) != 0;
    text_free(&log);
    return sealed;
}

static enum status open_sealed(struct store *store, struct error *error)
{
    struct text name = {0};
    text_append(&name, "file:");
    for (const char *at = store->path; *at; at++)
        text_append(&name, strchr("?#%", *at) ? "%%%02x" : "%c", *at);
    text_append(&name, "?immutable=1");
    sqlite3_finalize(store->find);
    store->find = NULL;
    sqlite3_close(store->database);
    store->database = NULL;
    enum status status = text_check(&name, error);
    if (!status)
        status =
            open_file(store, name.bytes, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, STORE_READ, error);
    text_free(&name);
    return status;
}

static enum status open_database(struct store *store, enum store_mode mode, struct error *error)
{
    if (mode == STORE_WRITE)
        return open_file(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, mode,
                         error);
    enum status status = open_file(store, store->path, SQLITE_OPEN_READONLY, mode, error);
    if (status && is_sealed(store))
        status = open_sealed(store, error);
    return status;
}

enum status store_open(const char *path, enum store_mode mode, struct store **store,
                       struct error *error)
{
    *store = NULL;
    TRY(check_file(path, mode, error));
    struct store *opened;
    TRY(memory_create(&opened, 1, sizeof *opened, error));
    opened->path = memory_copy_text(path);
    enum status status = opened->path ? open_database(opened, mode, error) : error_no_memory(error);
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
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->forget_rectangles);
    sqlite3_finalize(store->insert_rectangle);
    sqlite3_close(store->database);
    memory_free(store->path);
    memory_free(store);
}
