/* The column gaps of a CSV file: when a buffer is not used during its lifetime, or which of its
   bytes only. Gaps are separated by blanks, each is "lower-upper" or "lower-upper@low:high". */

#include "datasets/csv/gaps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static enum status fail_gap(const struct csv_rows *rows, struct csv_field gap, const char *expected,
                            struct error *error)
{
    return csv_fields_fail(rows, error, "found gap '%.*s', expected %s", csv_field_shown(gap),
                           gap.start, expected);
}

/* Cuts the part before the separator off *rest; false where there is no separator. */
static bool cut_field(struct csv_field *rest, char separator, struct csv_field *part)
{
    const char *found = memchr(rest->start, separator, rest->length);
    if (!found)
        return false;
    *part = (struct csv_field){rest->start, (size_t)(found - rest->start)};
    rest->start = found + 1;
    rest->length -= part->length + 1;
    return true;
}

/* Reads the window "low:high" of a gap, whose bytes are counted from the beginning of the
   buffer. */
static enum status read_window(const struct csv_rows *rows, struct csv_field field,
                               struct csv_gap *gap, struct error *error)
{
    struct csv_field high = field, low;
    if (!cut_field(&high, ':', &low))
        return fail_gap(rows, field, "low:high after the @", error);
    struct csv_range range = {"first byte of a gap's window", 0, rows->row.size - 1};
    TRY(csv_field_number(rows, low, range, &gap->window_lower, error));
    gap->window = true;
    range = (struct csv_range){"end of a gap's window", gap->window_lower + 1, rows->row.size};
    return csv_field_number(rows, high, range, &gap->window_upper, error);
}

static enum status read_gap(const struct csv_rows *rows, struct csv_field field,
                            struct csv_gap *gap, struct error *error)
{
    struct csv_field window = field, times = field, lower_text;
    uint64_t lower, upper;
    *gap = (struct csv_gap){0};
    bool has_window = cut_field(&window, '@', &times);
    struct csv_field upper_text = times;
    if (!cut_field(&upper_text, '-', &lower_text))
        return fail_gap(rows, field, "lower-upper or lower-upper@low:high", error);
    const struct csv_range begins = {"begin of a gap", 0, UINT32_MAX - 1};
    const struct csv_range ends = {"end of a gap", 0, UINT32_MAX - rows->inclusive};
    TRY(csv_field_number(rows, lower_text, begins, &lower, error));
    TRY(csv_field_number(rows, upper_text, ends, &upper, error));
    upper += rows->inclusive;
    gap->lower = (uint32_t)lower;
    gap->upper = (uint32_t)upper;
    if (lower >= upper)
        return fail_gap(rows, field, "one that ends after it begins", error);
    if (lower < rows->row.lower || upper > rows->row.upper)
        return fail_gap(rows, field, "one inside the lifetime", error);
    return has_window ? read_window(rows, window, gap, error) : STATUS_OK;
}

static int compare_gaps(const void *left, const void *right)
{
    const struct csv_gap *a = left, *b = right;
    return (a->lower > b->lower) - (a->lower < b->lower);
}

static enum status check_gaps(const struct csv_rows *rows, struct error *error)
{
    const struct csv_gap *gap = rows->row.gap;
    uint32_t live_from = rows->row.lower;
    bool live = false;
    for (uint32_t i = 0; i < rows->row.gaps; i++) {
        if (i && gap[i].lower < gap[i - 1].upper)
            return csv_fields_fail(rows, error,
                                   "found gaps [%u, %u) and [%u, %u), expected gaps that do not "
                                   "overlap",
                                   gap[i - 1].lower, gap[i - 1].upper, gap[i].lower, gap[i].upper);
        live = live || gap[i].window || gap[i].lower > live_from;
        live_from = gap[i].upper;
    }
    if (live || live_from < rows->row.upper)
        return STATUS_OK;
    return csv_fields_fail(rows, error,
                           "found gaps all through the lifetime, expected a step with the buffer");
}

enum status csv_gaps_read(struct csv_rows *rows, struct csv_field field, struct error *error)
{
    struct csv_row *row = &rows->row;
    const char *end = field.start + field.length;
    row->gaps = 0;
    for (const char *at = field.start; at < end;) {
        const char *start = at;
        while (at < end && *at != ' ' && *at != '\t')
            at++;
        if (at > start) {
            struct csv_field token = {start, (size_t)(at - start)};
            TRY(memory_reserve(&row->gap, &rows->gap_capacity, (size_t)row->gaps + 1,
                               sizeof *row->gap, error));
            TRY(read_gap(rows, token, &row->gap[row->gaps], error));
            row->gaps++;
        }
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
    }
    if (row->gaps)
        qsort(row->gap, row->gaps, sizeof *row->gap, compare_gaps);
    return check_gaps(rows, error);
}
