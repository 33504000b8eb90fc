#include <string.h>

#include "results/store/columns.h"
#include "results/store/sqlite.h"

static enum status bind_integer(struct store *store, sqlite3_stmt *statement, int place,
                                const char *name, uint64_t value, struct error *error)
{
    if (value > INT64_MAX)
        return error_set_at(error, STATUS_BAD_INPUT, store->path, 0,
                            "%s is %llu, expected at most 2^63 - 1", name,
                            (unsigned long long)value);
    if (sqlite3_bind_int64(statement, place, (int64_t)value) != SQLITE_OK)
        return handle_error(store, "write a row", error);
    return STATUS_OK;
}

static enum status bind_text(struct store *store, sqlite3_stmt *statement, int place,
                             const char *value, struct error *error)
{
    if (sqlite3_bind_text(statement, place, value ? value : "", -1, SQLITE_TRANSIENT) != SQLITE_OK)
        return handle_error(store, "write a row", error);
    return STATUS_OK;
}

static enum status bind_column(struct store *store, sqlite3_stmt *statement, int place,
                               const struct column *column, const struct result_row *row,
                               struct error *error)
{
    const char *field = (const char *)row + column->offset;
    if (column->kind == COLUMN_TEXT) {
        const char *value;
        memcpy(&value, field, sizeof value);
        return bind_text(store, statement, place, value, error);
    }
    uint64_t value;
    memcpy(&value, field, sizeof value);
    return bind_integer(store, statement, place, column->name, value, error);
}

static enum status bind_row(struct store *store, sqlite3_stmt *statement,
                            const struct result_row *row, bool key_only, struct error *error)
{
    int place = 0;
    for (unsigned i = 0; i < columns_count(); i++)
        if (columns_at(i)->key || !key_only)
            TRY(bind_column(store, statement, ++place, columns_at(i), row, error));
    return STATUS_OK;
}

static enum status insert_row(struct store *store, const struct result_row *row, int64_t *id,
                              struct error *error)
{
    int found = 0;
    enum status status;
    TRY_OR_DONE(status, bind_row(store, store->insert, row, false, error));
    TRY_OR_DONE(status, handle_step(store, store->insert, &found, error));
    *id = sqlite3_column_int64(store->insert, 0);
done:
    sqlite3_reset(store->insert);
    return status;
}

static enum status forget_rectangles(struct store *store, int64_t id, struct error *error)
{
    int found;
    sqlite3_bind_int64(store->forget_rectangles, 1, id);
    enum status status = handle_step(store, store->forget_rectangles, &found, error);
    sqlite3_reset(store->forget_rectangles);
    return status;
}

static enum status bind_rectangle(struct store *store, int64_t id, uint32_t position,
                                  const struct result_rectangle *rectangle, struct error *error)
{
    sqlite3_stmt *insert = store->insert_rectangle;
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, position);
    TRY(bind_text(store, insert, 3, rectangle->label, error));
    TRY(bind_integer(store, insert, 4, "lower", rectangle->lower, error));
    TRY(bind_integer(store, insert, 5, "upper", rectangle->upper, error));
    TRY(bind_integer(store, insert, 6, "offset", rectangle->offset, error));
    TRY(bind_integer(store, insert, 7, "size", rectangle->size, error));
    TRY(bind_integer(store, insert, 8, "group", rectangle->group, error));
    sqlite3_bind_int(insert, 9, rectangle->block != 0);
    return STATUS_OK;
}

static enum status insert_rectangle(struct store *store, int64_t id, uint32_t position,
                                    const struct result_rectangle *rectangle, struct error *error)
{
    int found;
    enum status status = bind_rectangle(store, id, position, rectangle, error);
    if (!status)
        status = handle_step(store, store->insert_rectangle, &found, error);
    sqlite3_reset(store->insert_rectangle);
    return status;
}

static enum status write_all(struct store *store, const struct result_row *row,
                             const struct result_rectangle *rectangles, uint32_t count,
                             struct error *error)
{
    int64_t id;
    TRY(insert_row(store, row, &id, error));
    TRY(forget_rectangles(store, id, error));
    for (uint32_t i = 0; i < count; i++)
        TRY(insert_rectangle(store, id, i, &rectangles[i], error));
    return STATUS_OK;
}

enum status store_write(struct store *store, const struct result_row *row,
                        const struct result_rectangle *rectangles, uint32_t count,
                        struct error *error)
{
    if (!store->insert)
        return error_set_at(error, STATUS_INTERNAL, store->path, 0, "opened for reading only");
    TRY(handle_begin(store, error));
    return handle_end(store, write_all(store, row, rectangles, count, error), error);
}

enum status store_has(struct store *store, const struct result_row *row, int *found,
                      struct error *error)
{
    enum status status = bind_row(store, store->find, row, true, error);
    if (!status)
        status = handle_step(store, store->find, found, error);
    sqlite3_reset(store->find);
    return status;
}
