#include "results/store/schema.h"

#include <string.h>

#include "results/store/columns.h"
#include "results/store/sqlite.h"

enum status schema_check(struct store *store, struct error *error)
{
    int64_t version;
    TRY(sqlite_number(store, "PRAGMA user_version", NULL, &version, error));
    if (version > columns_version())
        return error_set_at(error, STATUS_BAD_INPUT, store->path, 0,
                            "schema version %lld, expected %d: written by a newer program",
                            (long long)version, columns_version());
    int64_t tables;
    TRY(sqlite_number(store,
                      "SELECT count(*) FROM sqlite_master WHERE type = 'table' "
                      "AND name IN ('result', 'rectangle')",
                      NULL, &tables, error));
    if (version < 1 || tables != 2)
        return error_set_at(error, STATUS_BAD_INPUT, store->path, 0,
                            "an SQLite database without results, expected one made by memplan");
    store->version = (int)version;
    return STATUS_OK;
}

static void declare_results(struct text *sql, const char *table)
{
    text_append(sql, "CREATE TABLE %s (id INTEGER PRIMARY KEY, ", table);
    columns_declare_all(&columns_of_results, sql);
    text_append(sql, ", UNIQUE (");
    columns_list(&columns_of_results, sql, "", true);
    text_append(sql, "), FOREIGN KEY (run) REFERENCES run (label)) STRICT;");
}

void schema_append_known_runs(struct text *sql)
{
    static const struct {
        const char *column, *value;
    } known[] = {{"label", "run"},
                 {"started", "min(started)"},
                 {"ended", "''"},
                 {"build", "max(build)"},
                 {"host", "max(host)"}};
    text_append(sql, "(SELECT ");
    for (unsigned i = 0; i < columns_of_runs.columns; i++) {
        const struct column *column = &columns_of_runs.column[i];
        const char *value = column->kind == COLUMN_TEXT ? "''" : "0";
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            value = strcmp(known[k].column, column->name) == 0 ? known[k].value : value;
        text_append(sql, "%s%s AS %s", i ? ", " : "", value, column->name);
    }
    text_append(sql, " FROM main.result GROUP BY run)");
}

/* Creates the tables of an empty file, or upgrades those of an older one. The table of results is
   made again where columns were added, since the key of the rows is a part of the table. */
static enum status create_or_upgrade(struct store *store, struct error *error)
{
    SCOPED(text_free) struct text sql = {0};
    const struct column_table *runs = &columns_of_runs;
    int64_t objects;
    TRY(sqlite_number(store, "SELECT count(*) FROM sqlite_master", NULL, &objects, error));
    if (objects)
        TRY(schema_check(store, error));
    if (objects && store->version >= columns_version())
        return STATUS_OK;

    bool makes_runs = !objects || store->version < SCHEMA_WITH_RUNS;
    if (makes_runs) {
        text_append(&sql, "CREATE TABLE run (");
        columns_declare_all(runs, &sql);
        text_append(&sql, ", PRIMARY KEY (label)) STRICT;");
    }
    if (objects && makes_runs) {
        text_append(&sql, "INSERT INTO run SELECT * FROM ");
        schema_append_known_runs(&sql);
        text_append(&sql, ";");
    }
    for (unsigned i = 0; i < runs->columns && !makes_runs; i++) {
        if (runs->column[i].since <= store->version)
            continue;
        text_append(&sql, "ALTER TABLE run ADD COLUMN ");
        columns_declare(&runs->column[i], &sql);
        text_append(&sql, ";");
    }
    declare_results(&sql, objects ? "rebuilt" : "result");
    if (objects) {
        text_append(&sql, "INSERT INTO rebuilt (id, ");
        columns_list(&columns_of_results, &sql, "", false);
        text_append(&sql, ") SELECT id, ");
        columns_list_to_read(&columns_of_results, &sql, "result", store->version);
        text_append(&sql, " FROM result;"
                          "DROP TABLE result;ALTER TABLE rebuilt RENAME TO result;");
    } else {
        text_append(&sql, "CREATE TABLE rectangle (result INTEGER NOT NULL REFERENCES result (id),"
                          " position INTEGER NOT NULL, label TEXT NOT NULL, lower INTEGER NOT NULL,"
                          " upper INTEGER NOT NULL, bytes_offset INTEGER NOT NULL,"
                          " size_bytes INTEGER NOT NULL, region_group INTEGER NOT NULL,"
                          " block INTEGER NOT NULL, PRIMARY KEY (result, position))"
                          " STRICT, WITHOUT ROWID;");
    }
    text_append(&sql,
                "CREATE INDEX result_content ON result (digest, policy);"
                "CREATE INDEX result_reconstruction ON result (instance) WHERE reconstruction = 1;"
                "PRAGMA user_version = %d;",
                columns_version());
    TRY(text_check(&sql, error));
    return sqlite_run(store, sql.bytes, error);
}

/* Tables that belong to no schema version: they are added to any file that is opened for
   writing. */
static const char create_others[] =
    "CREATE TABLE IF NOT EXISTS measure (run TEXT NOT NULL, instance TEXT NOT NULL, digest TEXT "
    "NOT NULL, topic TEXT NOT NULL, variant TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT "
    "NULL, host TEXT NOT NULL, build TEXT NOT NULL, started TEXT NOT NULL, UNIQUE (run, instance, "
    "digest, topic, variant, name)) STRICT;CREATE TABLE IF NOT EXISTS timeline (run TEXT NOT "
    "NULL, instance TEXT NOT NULL, digest TEXT NOT NULL, variant TEXT NOT NULL, position INTEGER "
    "NOT NULL, lane TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, begin_ns INTEGER NOT "
    "NULL, end_ns INTEGER NOT NULL, host TEXT NOT NULL, build TEXT NOT NULL, started TEXT NOT "
    "NULL, UNIQUE (run, instance, digest, variant, position)) STRICT";

/* Several processes may open a file at the same time. The first one to get the lock creates the
   tables or adds the columns; the others find them there. */
enum status schema_create(struct store *store, struct error *error)
{
    TRY(sqlite_begin(store, error));
    TRY(sqlite_end(store, create_or_upgrade(store, error), error));
    TRY(sqlite_run(store, create_others, error));
    return schema_check(store, error);
}
