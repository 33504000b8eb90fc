#include "results/store/schema.h"

#include <assert.h>

#include "results/store/row.h"
#include "results/store/sqlite.h"

static const struct column columns[] = {
#define COLUMN(name, kind, key, version)                                                           \
    {#name, kind, offsetof(struct result_row, name), key, version},
#define TEXT(name, key, version) COLUMN(name, COLUMN_TEXT, key, version)
#define INTEGER(name, key, version) COLUMN(name, COLUMN_INTEGER, key, version)
#include "results/store/columns.def"
#undef TEXT
#undef INTEGER
#undef COLUMN
};

enum { COLUMNS = sizeof columns / sizeof *columns };

unsigned schema_columns_count(void)
{
    return COLUMNS;
}

const struct column *schema_column_at(unsigned index)
{
    assert(index < COLUMNS);
    return &columns[index];
}

void schema_list_columns(struct text *sql, const char *before, bool key_only)
{
    const char *separator = "";
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (key_only && !columns[i].key)
            continue;
        text_append(sql, "%s%s%s", separator, before, columns[i].name);
        separator = ", ";
    }
}

static const char *const no_value[] = {[COLUMN_TEXT] = "''", [COLUMN_INTEGER] = "0"};

void schema_list_to_read(struct text *sql, const char *table, int version)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        bool there = columns[i].since <= version;
        text_append(sql, "%s%s%s%s", i ? ", " : "", there ? table : "", there ? "." : "",
                    there ? columns[i].name : no_value[columns[i].kind]);
    }
}

/* "name TYPE ..." as SQL declares it. */
static void declare_column(struct text *sql, const struct column *column)
{
    static const char *const types[] = {[COLUMN_TEXT] = "TEXT", [COLUMN_INTEGER] = "INTEGER"};
    text_append(sql, "%s %s NOT NULL", column->name, types[column->kind]);
}

static int get_version(void)
{
    assert(columns[COLUMNS - 1].since >= columns[0].since);
    return columns[COLUMNS - 1].since;
}

static enum status read_integer(struct store *store, const char *sql, int64_t *value,
                                struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 0;
    enum status status;
    TRY_OR_DONE(status, sqlite_prepare(store, sql, &statement, error));
    TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
    *value = found ? sqlite3_column_int64(statement, 0) : 0;
done:
    sqlite3_finalize(statement);
    return status;
}

enum status schema_check(struct store *store, struct error *error)
{
    int64_t version;
    TRY(read_integer(store, "PRAGMA user_version", &version, error));
    if (version > get_version())
        return error_set_at(error, STATUS_BAD_INPUT, store->path, 0,
                            "schema version %lld, expected %d: written by a newer program",
                            (long long)version, get_version());
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
    for (unsigned i = 0; i < COLUMNS; i++) {
        declare_column(sql, &columns[i]);
        text_append(sql, ", ");
    }
}

static void declare_results(struct text *sql, const char *table)
{
    text_append(sql, "CREATE TABLE %s (id INTEGER PRIMARY KEY, ", table);
    list_column_definitions(sql);
    text_append(sql, "UNIQUE (");
    schema_list_columns(sql, "", true);
    text_append(sql, ")) STRICT;");
}

/* Runs statements that were put together, frees them, and sets the file's version. */
static enum status run_upgrade(struct store *store, struct text *sql, struct error *error)
{
    text_append(sql,
                "CREATE INDEX result_content ON result (digest, policy);"
                "PRAGMA user_version = %d;",
                get_version());
    enum status status = text_check(sql, error);
    if (!status)
        status = sqlite_run(store, sql->bytes, error);
    text_free(sql);
    return status;
}

static enum status create_tables(struct store *store, struct error *error)
{
    struct text sql = {0};
    declare_results(&sql, "result");
    text_append(&sql, "CREATE TABLE rectangle (result INTEGER NOT NULL REFERENCES result (id),"
                      " position INTEGER NOT NULL, label TEXT NOT NULL, lower INTEGER NOT NULL,"
                      " upper INTEGER NOT NULL, bytes_offset INTEGER NOT NULL,"
                      " size_bytes INTEGER NOT NULL, region_group INTEGER NOT NULL,"
                      " block INTEGER NOT NULL, PRIMARY KEY (result, position))"
                      " STRICT, WITHOUT ROWID;");
    return run_upgrade(store, &sql, error);
}

/* The key of the rows is part of the table, so that a new key needs a new table. */
static enum status rebuild_results(struct store *store, struct error *error)
{
    struct text sql = {0};
    declare_results(&sql, "rebuilt");
    text_append(&sql, "INSERT INTO rebuilt (id, ");
    schema_list_columns(&sql, "", false);
    text_append(&sql, ") SELECT id, ");
    schema_list_to_read(&sql, "result", store->version);
    text_append(&sql, " FROM result;"
                      "DROP TABLE result;"
                      "ALTER TABLE rebuilt RENAME TO result;");
    return run_upgrade(store, &sql, error);
}

static enum status create_or_upgrade(struct store *store, struct error *error)
{
    int64_t objects;
    TRY(read_integer(store, "SELECT count(*) FROM sqlite_master", &objects, error));
    if (!objects)
        return create_tables(store, error);
    TRY(schema_check(store, error));
    return store->version < get_version() ? rebuild_results(store, error) : STATUS_OK;
}

/* Of no schema version: it is added to any file that is opened for writing. */
static const char create_measures[] =
    "CREATE TABLE IF NOT EXISTS measure (run TEXT NOT NULL, instance TEXT NOT NULL,"
    " digest TEXT NOT NULL, topic TEXT NOT NULL, variant TEXT NOT NULL, name TEXT NOT NULL,"
    " value INTEGER NOT NULL, host TEXT NOT NULL, build TEXT NOT NULL, started TEXT NOT NULL,"
    " UNIQUE (run, instance, digest, topic, variant, name)) STRICT";

/* Several processes may open a file at once: whoever has the lock first creates the tables or adds
   the columns, and the others find them. */
enum status schema_create(struct store *store, struct error *error)
{
    TRY(sqlite_begin(store, error));
    TRY(sqlite_end(store, create_or_upgrade(store, error), error));
    TRY(sqlite_run(store, create_measures, error));
    return schema_check(store, error);
}
