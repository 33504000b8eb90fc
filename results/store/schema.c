#include "core/text.h"
#include "results/store/columns.h"
#include "results/store/sqlite.h"

static enum status read_integer(struct store *store, const char *sql, int64_t *value,
                                struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 0;
    enum status status;
    TRY_OR_DONE(status, handle_prepare(store, sql, &statement, error));
    TRY_OR_DONE(status, handle_step(store, statement, &found, error));
    *value = found ? sqlite3_column_int64(statement, 0) : 0;
done:
    sqlite3_finalize(statement);
    return status;
}

enum status handle_check_schema(struct store *store, struct error *error)
{
    int64_t version;
    TRY(read_integer(store, "PRAGMA user_version", &version, error));
    if (version > HANDLE_SCHEMA_VERSION)
        return error_set_at(error, STATUS_BAD_INPUT, store->path, 0,
                            "schema version %lld, expected %d: written by a newer program",
                            (long long)version, HANDLE_SCHEMA_VERSION);
    int64_t tables;
    TRY(read_integer(store,
                     "SELECT count(*) FROM sqlite_master WHERE type = 'table' "
                     "AND name IN ('result', 'rectangle')",
                     &tables, error));
    if (version < 1 || tables != 2)
        return error_set_at(error, STATUS_BAD_INPUT, store->path, 0,
                            "an SQLite database without results, expected one made by memplan");
    store->version = (int)version;
    return STATUS_OK;
}

static void list_column_definitions(struct text *sql)
{
    for (unsigned i = 0; i < columns_count(); i++) {
        columns_declare(sql, columns_at(i), false);
        text_append(sql, ", ");
    }
}

static enum status create_tables(struct store *store, struct error *error)
{
    struct text sql = {0};
    text_append(&sql, "CREATE TABLE result (id INTEGER PRIMARY KEY, ");
    list_column_definitions(&sql);
    text_append(&sql, "UNIQUE (");
    columns_list(&sql, "", "", true);
    text_append(&sql,
                ")) STRICT;"
                "CREATE INDEX result_content ON result (digest, policy);"
                "CREATE TABLE rectangle (result INTEGER NOT NULL REFERENCES result (id),"
                " position INTEGER NOT NULL, label TEXT NOT NULL, lower INTEGER NOT NULL,"
                " upper INTEGER NOT NULL, bytes_offset INTEGER NOT NULL,"
                " size_bytes INTEGER NOT NULL, region_group INTEGER NOT NULL,"
                " block INTEGER NOT NULL, PRIMARY KEY (result, position))"
                " STRICT, WITHOUT ROWID;"
                "PRAGMA user_version = %d;",
                HANDLE_SCHEMA_VERSION);
    enum status status = text_check(&sql, error);
    if (!status)
        status = handle_run(store, sql.bytes, error);
    text_free(&sql);
    return status;
}

static enum status add_columns(struct store *store, struct error *error)
{
    struct text sql = {0};
    for (unsigned i = 0; i < columns_count(); i++) {
        if (columns_at(i)->since <= store->version)
            continue;
        text_append(&sql, "ALTER TABLE result ADD COLUMN ");
        columns_declare(&sql, columns_at(i), true);
        text_append(&sql, ";");
    }
    text_append(&sql, "PRAGMA user_version = %d;", HANDLE_SCHEMA_VERSION);
    enum status status = text_check(&sql, error);
    if (!status)
        status = handle_run(store, sql.bytes, error);
    text_free(&sql);
    return status;
}

static enum status create_or_upgrade(struct store *store, struct error *error)
{
    int64_t objects;
    TRY(read_integer(store, "SELECT count(*) FROM sqlite_master", &objects, error));
    if (!objects)
        return create_tables(store, error);
    TRY(handle_check_schema(store, error));
    return store->version < HANDLE_SCHEMA_VERSION ? add_columns(store, error) : STATUS_OK;
}

/* Of no schema version: it is added to any file that is opened for writing. */
static const char create_measures[] =
    "CREATE TABLE IF NOT EXISTS measure (run TEXT NOT NULL, instance TEXT NOT NULL,"
    " digest TEXT NOT NULL, topic TEXT NOT NULL, variant TEXT NOT NULL, name TEXT NOT NULL,"
    " value INTEGER NOT NULL, host TEXT NOT NULL, build TEXT NOT NULL, started TEXT NOT NULL,"
    " UNIQUE (run, instance, digest, topic, variant, name)) STRICT";

/* Several processes may open a file at once: whoever has the lock first creates the tables or adds
   the columns, and the others find them. */
enum status handle_create_schema(struct store *store, struct error *error)
{
    TRY(handle_begin(store, error));
    TRY(handle_end(store, create_or_upgrade(store, error), error));
    TRY(handle_run(store, create_measures, error));
    return handle_check_schema(store, error);
}
