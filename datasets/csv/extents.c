/* The column extents of a CSV file: "offset+length;offset+length", where a split buffer lies. */

#include "datasets/csv/extents.h"

#include <string.h>

#include "core/memory.h"

static enum status read_extent(const struct csv_rows *rows, struct csv_field field,
                               struct extent *extent, struct error *error)
{
    const char *plus = memchr(field.start, '+', field.length);
    if (!plus)
        return csv_fields_fail(rows, error, "found extent '%.*s', expected offset+length",
                               csv_field_shown(field), field.start);
    size_t before = (size_t)(plus - field.start);
    struct csv_field offset = csv_field_trim(field.start, before);
    struct csv_field bytes = csv_field_trim(plus + 1, field.length - before - 1);
    const struct csv_range offsets = {"offset of an extent", 0, INT64_MAX};
    const struct csv_range lengths = {"length of an extent", 1, INT64_MAX};
    TRY(csv_field_number(rows, offset, offsets, &extent->offset, error));
    return csv_field_number(rows, bytes, lengths, &extent->bytes, error);
}

enum status csv_extents_read(struct csv_rows *rows, struct csv_field field, struct error *error)
{
    struct csv_row *row = &rows->row;
    const char *end = field.start + field.length;
    row->extents = 0;
    for (const char *at = field.start; at && field.length;) {
        const char *semicolon = memchr(at, ';', (size_t)(end - at));
        const char *stop = semicolon ? semicolon : end;
        struct csv_field item = csv_field_trim(at, (size_t)(stop - at));
        TRY(memory_reserve(&row->extent, &rows->extent_capacity, (size_t)row->extents + 1,
                           sizeof *row->extent, error));
        TRY(read_extent(rows, item, &row->extent[row->extents], error));
        row->extents++;
        at = semicolon ? semicolon + 1 : NULL;
    }
    return STATUS_OK;
}
