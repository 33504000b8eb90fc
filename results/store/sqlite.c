#include "results/store/sqlite.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/memory.h"

enum { BUSY_TIMEOUT_MS = 60000, WAL_ATTEMPTS = 3000, WAL_PAUSE_NS = 20000000 };

enum status sqlite_error(const struct store *store, const char *doing, struct error *error)
{
    int code = sqlite3_errcode(store->database) & 0xff;
    enum status status = STATUS_BAD_INPUT;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        status = STATUS_LIMIT;
    if (code == SQLITE_NOMEM)
        status = STATUS_INTERNAL;
    if (code == SQLITE_NOTADB)
        return error_set_at(error, status, store->path, 0, "no SQLite database, expected results");
    return error_set_at(error, status, store->path, 0, "cannot %s: %s", doing,
                        sqlite3_errmsg(store->database));
}

enum status sqlite_run(struct store *store, const char *sql, struct error *error)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return sqlite_error(store, "use the results", error);
    return STATUS_OK;
}

enum status sqlite_prepare(struct store *store, const char *sql, sqlite3_stmt **statement,
                           struct error *error)
{
    if (sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) != SQLITE_OK)
        return sqlite_error(store, "use the results", error);
    return STATUS_OK;
}

enum status sqlite_step(struct store *store, sqlite3_stmt *statement, int *found,
                        struct error *error)
{
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return sqlite_error(store, "read or write the results", error);
    *found = code == SQLITE_ROW;
    return STATUS_OK;
}

enum status sqlite_once(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    int found;
    enum status status = sqlite_step(store, statement, &found, error);
    sqlite3_reset(statement);
    return status;
}

enum status sqlite_begin(struct store *store, struct error *error)
{
    return sqlite_run(store, "BEGIN IMMEDIATE", error);
}

enum status sqlite_end(struct store *store, enum status status, struct error *error)
{
    if (!status)
        status = sqlite_run(store, "COMMIT", error);
    if (status)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

enum status sqlite_prepare_made(struct store *store, struct text *sql, sqlite3_stmt **statement,
                                struct error *error)
{
    SCOPED(text_free) struct text made = *sql;
    *sql = (struct text){0};
    TRY(text_check(&made, error));
    return sqlite_prepare(store, made.bytes, statement, error);
}

enum status sqlite_ask(struct store *store, const char *sql, const struct sqlite_question *question,
                       struct error *error)
{
    SCOPED(sqlite_release) sqlite3_stmt *statement = NULL;
    TRY(sqlite_prepare(store, sql, &statement, error));
    for (int i = 0; i < question->texts; i++)
        if (sqlite3_bind_text(statement, i + 1, question->text[i], -1, SQLITE_TRANSIENT) !=
            SQLITE_OK)
            return sqlite_error(store, "use the results", error);
    for (int found;;) {
        TRY(sqlite_step(store, statement, &found, error));
        if (!found)
            return STATUS_OK;
        if (question->take)
            TRY(question->take(question->context, statement, error));
    }
}

enum status sqlite_ask_made(struct store *store, struct text *sql,
                            const struct sqlite_question *question, struct error *error)
{
    SCOPED(text_free) struct text made = *sql;
    *sql = (struct text){0};
    TRY(text_check(&made, error));
    return sqlite_ask(store, made.bytes, question, error);
}

enum status sqlite_take_name(void *names, sqlite3_stmt *row, struct error *error)
{
    const char *name = (const char *)sqlite3_column_text(row, 0);
    return name && *name && names_find(names, name) == NAMES_NONE ? names_add(names, name, error)
                                                                  : STATUS_OK;
}

static enum status take_number(void *number, sqlite3_stmt *row, struct error *error)
{
    (void)error;
    *(int64_t *)number = sqlite3_column_int64(row, 0);
    return STATUS_OK;
}

enum status sqlite_number(struct store *store, const char *sql, const char *text, int64_t *number,
                          struct error *error)
{
    *number = 0;
    return sqlite_ask(store, sql,
                      &(struct sqlite_question){&text, text ? 1 : 0, take_number, number}, error);
}

enum status sqlite_has_table(struct store *store, const char *name, bool *found,
                             struct error *error)
{
    int64_t tables;
    enum status status = sqlite_number(
        store, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?1", name,
        &tables, error);
    *found = tables > 0;
    return status;
}

enum status sqlite_text(sqlite3_stmt *statement, int column, char **copy, struct error *error)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    *copy = memory_copy_text(text ? (const char *)text : "");
    return *copy ? STATUS_OK : error_no_memory(error);
}

/* The SQL function behind SQLITE_OPTION. */
static void find_option(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *options = (const char *)sqlite3_value_text(values[0]), *value;
    const char *name = (const char *)sqlite3_value_text(values[1]);
    size_t length;
    (void)count;
    if (options && name && options_find(options, name, &value, &length))
        sqlite3_result_text(context, value, (int)length, SQLITE_TRANSIENT);
}

/* Up to 64 MiB of pages are kept in memory, so that data which is sorted or looked up repeatedly is
   not read again each time. */
static const char keep_in_memory[] = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536";

/* No two threads use one store, so that none need wait for the other at each column. */
static enum status open_file(struct store *store, const char *name, int flags, struct error *error)
{
    if (sqlite3_open_v2(name, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(store->database, BUSY_TIMEOUT_MS) != SQLITE_OK ||
        sqlite3_create_function(store->database, "option_value", 2,
                                SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, find_option, NULL,
                                NULL) != SQLITE_OK)
        return sqlite_error(store, "open", error);
    /* If this fails the file cannot be read, and the first question about it gives a better
       message. */
    sqlite3_exec(store->database, keep_in_memory, NULL, NULL, NULL);
    return STATUS_OK;
}

enum status sqlite_open(struct store *store, bool writing, struct error *error)
{
    SCOPED(text_free) struct text name = {0};
    struct stat found;
    if (writing)
        return open_file(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    enum status status = open_file(store, store->path, SQLITE_OPEN_READONLY, error);
    if (!status)
        status = sqlite_run(store, "SELECT 1 FROM sqlite_master", error);
    if (!status)
        return STATUS_OK;

    /* Perhaps the file can be read without the WAL, whose files SQLite would create beside the
       database. In a folder where that is forbidden nobody else can write either, and unless a log
       was left behind the file alone has all data. */
    int code = sqlite3_errcode(store->database) & 0xff;
    text_append(&name, "%s-wal", store->path);
    if (name.failed || (code != SQLITE_READONLY && code != SQLITE_CANTOPEN) ||
        stat(name.bytes, &found) == 0)
        return status;
    name.length = 0;
    text_append(&name, "file:");
    for (const char *at = store->path; *at; at++)
        text_append(&name, strchr("?#%", *at) ? "%%%02x" : "%c", *at);
    text_append(&name, "?immutable=1");
    sqlite3_close(store->database);
    store->database = NULL;
    TRY(text_check(&name, error));
    return open_file(store, name.bytes, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
}

/* SQLite may answer "locked" without waiting for its timeout until the file is in WAL mode, so this
   is tried again. */
enum status sqlite_log_changes(struct store *store, struct error *error)
{
    const struct timespec pause = {.tv_nsec = WAL_PAUSE_NS};
    enum status status = STATUS_LIMIT;
    for (int attempt = 0; status == STATUS_LIMIT && attempt < WAL_ATTEMPTS; attempt++) {
        if (attempt)
            nanosleep(&pause, NULL);
        status = sqlite_run(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error);
    }
    store->logs_changes = !status;
    return status;
}

/* Closes the file. SQLite refuses to end the log while others have the file open. */
void sqlite_close(struct store *store)
{
    if (store->logs_changes) {
        sqlite3_busy_timeout(store->database, 0);
        sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->database);
}
