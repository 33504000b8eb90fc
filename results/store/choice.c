#include "results/store/choice.h"

#include <stddef.h>

#include "core/text.h"
#include "results/store/sqlite.h"

static bool is_among(const struct names *names, const char *name)
{
    return !names || names_find(names, name) != NAMES_NONE;
}

bool choice_takes_instance(const struct result_choice *choice, const char *instance,
                           const char *path)
{
    return !choice || is_among(choice->instances, instance) || is_among(choice->instances, path);
}

bool choice_takes(const struct result_choice *choice, const struct result_row *row)
{
    return !choice ||
           (is_among(choice->planners, row->planner) && is_among(choice->policies, row->policy) &&
            choice_takes_instance(choice, row->instance, row->path));
}

static enum status has_column(struct store *store, const char *table, const char *column,
                              int *found, struct error *error)
{
    sqlite3_stmt *statement;
    TRY(sqlite_prepare(store, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2", &statement,
                       error));
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, column, -1, SQLITE_STATIC);
    enum status status = sqlite_step(store, statement, found, error);
    sqlite3_finalize(statement);
    return status;
}

static enum status add_texts(struct store *store, sqlite3_stmt *statement, struct names *names,
                             struct error *error)
{
    for (int found = 1;;) {
        TRY(sqlite_step(store, statement, &found, error));
        if (!found)
            return STATUS_OK;
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (text && *text && names_find(names, text) == NAMES_NONE)
            TRY(names_add(names, text, error));
    }
}

enum status choice_list(struct store *store, const char *table, const char *column,
                        struct names *names, struct error *error)
{
    struct text sql = {0};
    sqlite3_stmt *statement = NULL;
    int found;
    TRY(has_column(store, table, column, &found, error));
    if (!found)
        return STATUS_OK;
    text_append(&sql, "SELECT DISTINCT %s FROM %s", column, table);
    enum status status = text_check(&sql, error);
    if (!status)
        status = sqlite_prepare(store, sql.bytes, &statement, error);
    if (!status)
        status = add_texts(store, statement, names, error);
    sqlite3_finalize(statement);
    text_free(&sql);
    return status;
}
