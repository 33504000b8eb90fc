/* Fields that hold several numbers. */

#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "datasets/csv/rows.h"

/* Clocks: the times of a row as "3:0:7", a component for each stream, as OmniMalloc writes them. */

static enum status read_components(const struct csv_rows *rows, struct csv_field field,
                                   uint32_t *component, struct error *error)
{
    const struct csv_range range = {"component of a clock", 0, UINT32_MAX};
    struct csv_field part;
    while (csv_field_cut(&field, ':', &part)) {
        uint64_t number;
        TRY(csv_field_number(rows, part, range, &number, error));
        *component++ = (uint32_t)number;
    }
    return STATUS_OK;
}

enum status csv_rows_read_clock(struct csv_rows *rows, struct csv_field lower,
                                struct csv_field upper, struct error *error)
{
    struct csv_row *row = &rows->row;
    uint32_t streams = 1, other = 1;
    for (size_t i = 0; i < lower.length; i++)
        streams += lower.start[i] == ':';
    for (size_t i = 0; i < upper.length; i++)
        other += upper.start[i] == ':';
    if (rows->inclusive || rows->open)
        return csv_fields_fail(rows, error,
                               "found a clock, expected numbers where times are %s: clocks are "
                               "half-open",
                               rows->open ? "open" : "inclusive");
    if (streams != other)
        return csv_fields_fail(
            rows, error,
            "found clocks of %u and of %u streams, expected as many in lower and upper", streams,
            other);
    TRY(memory_reserve(&row->clock, &rows->clock_capacity, 2 * (size_t)streams, sizeof *row->clock,
                       error));
    row->streams = streams;
    TRY(read_components(rows, lower, row->clock, error));
    return read_components(rows, upper, row->clock + streams, error);
}

/* Extents: "offset+length;offset+length", where a split buffer lies. */

enum status csv_rows_read_extents(struct csv_rows *rows, struct csv_field field,
                                  struct error *error)
{
    static const struct csv_range offsets = {"offset of an extent", 0, INT64_MAX},
                                  lengths = {"length of an extent", 1, INT64_MAX};
    struct csv_row *row = &rows->row;
    struct csv_field item, offset;
    row->extents = 0;
    while (field.length + row->extents && csv_field_cut(&field, ';', &item)) {
        TRY(memory_reserve(&row->extent, &rows->extent_capacity, (size_t)row->extents + 1,
                           sizeof *row->extent, error));
        struct extent *extent = &row->extent[row->extents];
        item = csv_field_trim(item.start, item.length);
        struct csv_field bytes = item;
        csv_field_cut(&bytes, '+', &offset);
        if (!bytes.start)
            return csv_fields_fail(rows, error, "found extent '%.*s', expected offset+length",
                                   csv_field_shown(item), item.start);
        offset = csv_field_trim(offset.start, offset.length);
        bytes = csv_field_trim(bytes.start, bytes.length);
        TRY(csv_field_number(rows, offset, offsets, &extent->offset, error));
        TRY(csv_field_number(rows, bytes, lengths, &extent->bytes, error));
        row->extents++;
    }
    return STATUS_OK;
}

/* Gaps: when a buffer is not used during its lifetime, or which of its bytes only. Gaps are
   separated by blanks, each is "lower-upper" or "lower-upper@low:high". */

static enum status fail_gap(const struct csv_rows *rows, struct csv_field gap, const char *expected,
                            struct error *error)
{
    return csv_fields_fail(rows, error, "found gap '%.*s', expected %s", csv_field_shown(gap),
                           gap.start, expected);
}

static enum status read_gap(const struct csv_rows *rows, struct csv_field field,
                            struct csv_gap *gap, struct error *error)
{
    const struct csv_range begins = {"begin of a gap", 0, UINT32_MAX - 1};
    const struct csv_range ends = {"end of a gap", 0, UINT32_MAX - rows->inclusive};
    struct csv_field window = field, times = {0}, lower_text, low;
    uint64_t lower, upper;
    *gap = (struct csv_gap){0};
    csv_field_cut(&window, '@', &times);
    struct csv_field upper_text = times;
    csv_field_cut(&upper_text, '-', &lower_text);
    if (!upper_text.start)
        return fail_gap(rows, field, "lower-upper or lower-upper@low:high", error);
    TRY(csv_field_number(rows, lower_text, begins, &lower, error));
    TRY(csv_field_number(rows, upper_text, ends, &upper, error));
    upper += rows->inclusive;
    gap->lower = (uint32_t)lower;
    gap->upper = (uint32_t)upper;
    if (lower >= upper)
        return fail_gap(rows, field, "one that ends after it begins", error);
    if (lower < rows->row.lower || upper > rows->row.upper)
        return fail_gap(rows, field, "one inside the lifetime", error);
    if (!window.start)
        return STATUS_OK;
    struct csv_field high = window; /* bytes from the beginning of the buffer */
    csv_field_cut(&high, ':', &low);
    if (!high.start)
        return fail_gap(rows, window, "low:high after the @", error);
    struct csv_range range = {"first byte of a gap's window", 0, rows->row.size - 1};
    TRY(csv_field_number(rows, low, range, &gap->window_lower, error));
    gap->window = true;
    range = (struct csv_range){"end of a gap's window", gap->window_lower + 1, rows->row.size};
    return csv_field_number(rows, high, range, &gap->window_upper, error);
}

COMPARE_MEMBERS(compare_gaps, struct csv_gap, lower)

enum status csv_rows_read_gaps(struct csv_rows *rows, struct csv_field field, struct error *error)
{
    struct csv_row *row = &rows->row;
    const char *end = field.start + field.length;
    row->gaps = 0;
    for (const char *at = field.start; at < end; at++) {
        const char *start = at;
        while (at < end && *at != ' ' && *at != '\t')
            at++;
        if (at == start)
            continue;
        struct csv_field token = {start, (size_t)(at - start)};
        TRY(memory_reserve(&row->gap, &rows->gap_capacity, (size_t)row->gaps + 1, sizeof *row->gap,
                           error));
        TRY(read_gap(rows, token, &row->gap[row->gaps], error));
        row->gaps++;
    }
    if (row->gaps)
        qsort(row->gap, row->gaps, sizeof *row->gap, compare_gaps);
    uint32_t live_from = row->lower;
    bool live = false;
    for (uint32_t i = 0; i < row->gaps; i++) {
        const struct csv_gap *gap = &row->gap[i];
        if (i && gap->lower < gap[-1].upper)
            return csv_fields_fail(rows, error,
                                   "found gaps [%u, %u) and [%u, %u), expected gaps that do not "
                                   "overlap",
                                   gap[-1].lower, gap[-1].upper, gap->lower, gap->upper);
        live = live || gap->window || gap->lower > live_from;
        live_from = gap->upper;
    }
    if (live || live_from < row->upper)
        return STATUS_OK;
    return csv_fields_fail(rows, error,
                           "found gaps all through the lifetime, expected a step with the buffer");
}
