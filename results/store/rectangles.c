#include "results/store/rectangles.h"

#include "core/memory.h"
#include "results/store/sqlite.h"

static uint64_t read_u64(sqlite3_stmt *statement, int column)
{
    return (uint64_t)sqlite3_column_int64(statement, column);
}

static enum status take_rectangle(void *context, sqlite3_stmt *row, struct error *error)
{
    struct rectangle_set *set = context;
    char *label;
    TRY(memory_reserve(&set->rectangle, &set->capacity, set->count + (size_t)1,
                       sizeof *set->rectangle, error));
    TRY(sqlite_text(row, 0, &label, error));
    set->rectangle[set->count++] = (struct result_rectangle){
        .label = label,
        .lower = read_u64(row, 1),
        .upper = read_u64(row, 2),
        .offset = read_u64(row, 3),
        .size = read_u64(row, 4),
        .group = read_u64(row, 5),
        .block = sqlite3_column_int(row, 6),
    };
    return STATUS_OK;
}

enum status rectangles_read(struct store *store, int64_t id, struct rectangle_set *rectangles,
                            struct error *error)
{
    struct text sql = {0};
    text_append(&sql,
                "SELECT label, lower, upper, bytes_offset, size_bytes, region_group, block"
                " FROM rectangle WHERE result = %lld ORDER BY position",
                (long long)id);
    enum status status = sqlite_ask_made(
        store, &sql, &(struct sqlite_question){.take = take_rectangle, .context = rectangles},
        error);
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
