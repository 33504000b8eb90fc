#include "results/store/columns.h"

#include <string.h>

#include "core/quick_hash.h"
#include "results/store/row.h"
#include "results/store/sqlite.h"

static const struct column result_columns[] = {
#define TEXT(name, key, version) COLUMN(result_row, name, COLUMN_TEXT, key, version)
#define INTEGER(name, key, version) COLUMN(result_row, name, COLUMN_INTEGER, key, version)
#include "results/store/columns.def"
#undef TEXT
#undef INTEGER
};

static const struct column run_columns[] = {
#define TEXT(name, key, version) COLUMN(run_row, name, COLUMN_TEXT, key, version)
#define INTEGER(name, key, version) COLUMN(run_row, name, COLUMN_INTEGER, key, version)
#include "results/store/run_columns.def"
#undef TEXT
#undef INTEGER
};

const struct column_table columns_of_results = {"result", result_columns,
                                                sizeof result_columns / sizeof *result_columns};
const struct column_table columns_of_runs = {"run", run_columns,
                                             sizeof run_columns / sizeof *run_columns};

int columns_version(void)
{
    int newest = 0;
    for (unsigned i = 0; i < columns_of_results.columns; i++)
        newest = result_columns[i].since > newest ? result_columns[i].since : newest;
    for (unsigned i = 0; i < columns_of_runs.columns; i++)
        newest = run_columns[i].since > newest ? run_columns[i].since : newest;
    return newest;
}

void columns_list(const struct column_table *table, struct text *sql, const char *before,
                  bool key_only)
{
    const char *separator = "";
    for (unsigned i = 0; i < table->columns; i++) {
        if (key_only && !table->column[i].key)
            continue;
        text_append(sql, "%s%s%s", separator, before, table->column[i].name);
        separator = ", ";
    }
}

void columns_insert(const struct column_table *table, const char *verb, struct text *sql)
{
    text_append(sql, "%s INTO %s (", verb, table->name);
    columns_list(table, sql, "", false);
    text_append(sql, ") VALUES (");
    columns_list(table, sql, ":", false);
    text_append(sql, ")");
}

static const char *const no_value[] = {
    [COLUMN_TEXT] = "''", [COLUMN_INTEGER] = "0", [COLUMN_SIGNED] = "0"};

void columns_list_to_read(const struct column_table *table, struct text *sql, const char *alias,
                          int version)
{
    for (unsigned i = 0; i < table->columns; i++) {
        const struct column *column = &table->column[i];
        bool there = column->since <= version;
        text_append(sql, "%s%s%s%s", i ? ", " : "", there ? alias : "", there ? "." : "",
                    there ? column->name : no_value[column->kind]);
    }
}

void columns_declare(const struct column *column, struct text *sql)
{
    static const char *const types[] = {
        [COLUMN_TEXT] = "TEXT", [COLUMN_INTEGER] = "INTEGER", [COLUMN_SIGNED] = "INTEGER"};
    text_append(sql, "%s %s NOT NULL DEFAULT %s", column->name, types[column->kind],
                no_value[column->kind]);
}

void columns_declare_all(const struct column_table *table, struct text *sql)
{
    for (unsigned i = 0; i < table->columns; i++) {
        text_append(sql, "%s", i ? ", " : "");
        columns_declare(&table->column[i], sql);
    }
}

enum status columns_bind_integer(struct column_binding *binding, const char *name, uint64_t value,
                                 struct error *error)
{
    if (value > INT64_MAX)
        return error_set_at(error, STATUS_BAD_INPUT, binding->store->path, 0,
                            "%s is %llu, expected at most 2^63 - 1", name,
                            (unsigned long long)value);
    if (sqlite3_bind_int64(binding->statement, ++binding->place, (int64_t)value) != SQLITE_OK)
        return sqlite_error(binding->store, "write a row", error);
    return STATUS_OK;
}

enum status columns_bind_text(struct column_binding *binding, const char *value,
                              struct error *error)
{
    if (sqlite3_bind_text(binding->statement, ++binding->place, value ? value : "", -1,
                          SQLITE_TRANSIENT) != SQLITE_OK)
        return sqlite_error(binding->store, "write a row", error);
    return STATUS_OK;
}

enum status columns_bind(const struct column_table *table, struct column_binding *binding,
                         const void *row, bool key_only, struct error *error)
{
    for (unsigned i = 0; i < table->columns; i++) {
        const struct column *column = &table->column[i];
        const char *field = (const char *)row + column->offset, *text;
        uint64_t number;
        if (!column->key && key_only)
            continue;
        memcpy(&text, field, sizeof text);
        memcpy(&number, field, sizeof number);
        if (column->kind == COLUMN_TEXT)
            TRY(columns_bind_text(binding, text, error));
        else if (column->kind == COLUMN_INTEGER)
            TRY(columns_bind_integer(binding, column->name, number, error));
        else if (sqlite3_bind_int64(binding->statement, ++binding->place, (int64_t)number) !=
                 SQLITE_OK)
            return sqlite_error(binding->store, "write a row", error);
    }
    return STATUS_OK;
}

/* Appends a text and returns its position. A text that is equal to the last one with its hash, of
   which `recent` has the position, is not appended again. The hash is made from the end, where
   names differ. */
static size_t place_text(struct text *text, const char *bytes, size_t length, size_t *recent)
{
    enum { HASHED = 16 };
    if (recent && !length && text->length)
        return text->length - 1; /* the end of the last text */
    size_t hashed = length < HASHED ? length : HASHED;
    uint64_t hash = quick_hash(bytes + length - hashed, hashed);
    size_t *place = recent ? &recent[hash % COLUMNS_RECENT] : NULL;
    if (place && *place + length < text->length &&
        memcmp(text->bytes + *place, bytes, length + 1) == 0)
        return *place;
    size_t position = text->length;
    text_append_bytes(text, bytes, length + 1);
    if (place)
        *place = position;
    return position;
}

void columns_read(const struct column_table *table, sqlite3_stmt *statement, int first, void *row,
                  struct text *text, size_t *recent)
{
    for (unsigned i = 0; i < table->columns; i++) {
        const struct column *column = &table->column[i];
        int place = first + (int)i;
        uint64_t value;
        if (column->kind == COLUMN_TEXT) {
            const void *bytes = sqlite3_column_text(statement, place);
            size_t length = (size_t)sqlite3_column_bytes(statement, place);
            value = place_text(text, bytes ? bytes : "", length, recent);
        } else {
            value = (uint64_t)sqlite3_column_int64(statement, place);
        }
        memcpy((char *)row + column->offset, &value, sizeof value);
    }
}

void columns_point(const struct column_table *table, void *row, const struct text *text)
{
    for (unsigned i = 0; i < table->columns; i++) {
        char *field = (char *)row + table->column[i].offset;
        uint64_t place;
        if (table->column[i].kind != COLUMN_TEXT)
            continue;
        memcpy(&place, field, sizeof place);
        const char *at = text->bytes + place;
        memcpy(field, &at, sizeof at);
    }
}
