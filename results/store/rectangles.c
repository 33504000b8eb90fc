#include "results/store/rectangles.h"

#include "core/memory.h"
#include "results/store/sqlite.h"

static uint64_t read_u64(sqlite3_stmt *statement, int column)
{
    return (uint64_t)sqlite3_column_int64(statement, column);
}

static enum status add_rectangle(struct rectangle_set *set, sqlite3_stmt *statement,
                                 struct error *error)
{
    char *label;
    TRY(memory_reserve(&set->rectangle, &set->capacity, set->count + (size_t)1,
                       sizeof *set->rectangle, error));
    TRY(sqlite_text(statement, 0, &label, error));
    set->rectangle[set->count++] = (struct result_rectangle){
        .label = label,
        .lower = read_u64(statement, 1),
        .upper = read_u64(statement, 2),
        .offset = read_u64(statement, 3),
        .size = read_u64(statement, 4),
        .group = read_u64(statement, 5),
        .block = sqlite3_column_int(statement, 6),
    };
    return STATUS_OK;
}

enum status rectangles_read(struct store *store, int64_t id, struct rectangle_set *rectangles,
                            struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int found = 1;
    enum status status;
    TRY_OR_DONE(status,
                sqlite_prepare(store,
                               "SELECT label, lower, upper, bytes_offset, size_bytes, region_group,"
                               " block FROM rectangle WHERE result = ?1 ORDER BY position",
                               &statement, error));
    sqlite3_bind_int64(statement, 1, id);
    for (;;) {
        TRY_OR_DONE(status, sqlite_step(store, statement, &found, error));
        if (!found)
            break;
        TRY_OR_DONE(status, add_rectangle(rectangles, statement, error));
    }
done:
    sqlite3_finalize(statement);
    if (status)
        rectangles_free(rectangles);
    return status;
}

void rectangles_free(struct rectangle_set *rectangles)
{
    for (uint32_t i = 0; i < rectangles->count; i++)
        memory_free((char *)rectangles->rectangle[i].label);
    memory_free(rectangles->rectangle);
    *rectangles = (struct rectangle_set){0};
}
