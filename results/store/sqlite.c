#include "results/store/sqlite.h"

#include "core/memory.h"

enum status handle_error(const struct store *store, const char *doing, struct error *error)
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

enum status handle_run(struct store *store, const char *sql, struct error *error)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return handle_error(store, "use the results", error);
    return STATUS_OK;
}

enum status handle_prepare(struct store *store, const char *sql, sqlite3_stmt **statement,
                           struct error *error)
{
    if (sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) != SQLITE_OK)
        return handle_error(store, "use the results", error);
    return STATUS_OK;
}

enum status handle_step(struct store *store, sqlite3_stmt *statement, int *found,
                        struct error *error)
{
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return handle_error(store, "read or write the results", error);
    *found = code == SQLITE_ROW;
    return STATUS_OK;
}

enum status handle_begin(struct store *store, struct error *error)
{
    return handle_run(store, "BEGIN IMMEDIATE", error);
}

enum status handle_end(struct store *store, enum status status, struct error *error)
{
    if (!status)
        status = handle_run(store, "COMMIT", error);
    if (status)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

enum status handle_text(sqlite3_stmt *statement, int column, char **copy, struct error *error)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    *copy = memory_copy_text(text ? (const char *)text : "");
    return *copy ? STATUS_OK : error_no_memory(error);
}
