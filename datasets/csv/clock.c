/* Clocks in a CSV file: the times of a row as "3:0:7", a component for each stream, as OmniMalloc
 * writes them. */

#include "datasets/csv/clock.h"

#include <string.h>

#include "core/memory.h"

bool csv_clock_is(struct csv_field field)
{
    return memchr(field.start, ':', field.length) != NULL;
}

static uint32_t count_components(struct csv_field field)
{
    uint32_t count = 1;
    for (size_t i = 0; i < field.length; i++)
        count += field.start[i] == ':';
    return count;
}

static enum status read_components(const struct csv_rows *rows, struct csv_field field,
                                   uint32_t *component, struct error *error)
{
    const struct csv_range range = {"component of a clock", 0, UINT32_MAX};
    const char *end = field.start + field.length;
    for (const char *at = field.start;; component++) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        const char *stop = colon ? colon : end;
        uint64_t number;
        TRY(csv_field_number(rows, (struct csv_field){at, (size_t)(stop - at)}, range, &number,
                             error));
        *component = (uint32_t)number;
        if (!colon)
            return STATUS_OK;
        at = colon + 1;
    }
}

enum status csv_clock_read(struct csv_rows *rows, struct csv_field lower, struct csv_field upper,
                           struct error *error)
{
    struct csv_row *row = &rows->row;
    uint32_t streams = count_components(lower), other = count_components(upper);
    if (rows->inclusive || rows->open)
        return csv_fields_fail(rows, error,
                               "found a clock, expected numbers where times are %s: clocks are "
                               "half-open",
                               rows->open ? "open" : "inclusive");
    if (streams != other)
        return csv_fields_fail(
            rows, error,
            "found clocks of %u and of %u streams, expected as many in lower and "
            "upper",
            streams, other);
    TRY(memory_reserve(&row->clock, &rows->clock_capacity, 2 * (size_t)streams, sizeof *row->clock,
                       error));
    row->streams = streams;
    TRY(read_components(rows, lower, row->clock, error));
    return read_components(rows, upper, row->clock + streams, error);
}
