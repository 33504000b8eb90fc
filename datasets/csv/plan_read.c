#include <inttypes.h>

#include "datasets/csv/problem.h"
#include "datasets/csv/rows.h"

static enum status check_equal(const struct csv_rows *rows, const char *what, uint64_t found,
                               uint64_t expected, struct error *error)
{
    if (found == expected)
        return STATUS_OK;
    return csv_fields_fail(
        rows, error, "found %s %" PRIu64 " of buffer '%s', expected %" PRIu64 " as in the problem",
        what, found, rows->row.id, expected);
}

/* Checks that a row says of its buffer what the problem does. Gaps may cut off both ends of a
   lifetime. Streams without any effect are not in the problem, so clocks are compared only where
   both have equally many streams. */
static enum status check_row(const struct csv_rows *rows, const struct problem *problem,
                             uint32_t buffer, struct error *error)
{
    const struct csv_row *row = &rows->row;
    uint32_t lower = row->lower, upper = row->upper;
    TRY(check_equal(rows, "size", row->size, problem->size[buffer], error));
    if (row->streams) {
        if (problem_streams(problem) != row->streams)
            return STATUS_OK;
        struct clock clock = problem_clock(problem, buffer);
        for (uint32_t s = 0; s < clock.streams; s++) {
            TRY(check_equal(rows, "lower", row->clock[s], clock.start[s], error));
            TRY(check_equal(rows, "upper", row->clock[clock.streams + s], clock.end[s], error));
        }
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < row->gaps; i++)
        if (!row->gap[i].window && row->gap[i].lower == lower)
            lower = row->gap[i].upper;
    for (uint32_t i = row->gaps; i-- > 0;)
        if (!row->gap[i].window && row->gap[i].upper == upper)
            upper = row->gap[i].lower;
    TRY(check_equal(rows, "lower", lower, problem_lower(problem, buffer), error));
    return check_equal(rows, "upper", upper, problem_upper(problem, buffer), error);
}

static enum status check_end(const struct csv_rows *rows, struct extent place, struct error *error)
{
    if (place.bytes <= INT64_MAX && place.offset <= INT64_MAX - place.bytes)
        return STATUS_OK;
    return csv_fields_fail(rows, error,
                           "found %" PRIu64 " bytes of buffer '%s' at %" PRIu64
                           ", expected an end of at most 2^63 - 1",
                           place.bytes, rows->row.id, place.offset);
}

static enum status read_place(const struct csv_rows *rows, uint32_t buffer, struct plan *plan,
                              struct error *error)
{
    const struct csv_row *row = &rows->row;
    if (!row->has_offset && !row->extents)
        return csv_fields_fail(rows, error, "found no offset of buffer '%s', expected one",
                               row->id);
    if (row->has_offset && row->extents && row->offset != row->extent[0].offset)
        return csv_fields_fail(rows, error,
                               "found offset %" PRIu64 " of buffer '%s' and its first extent at "
                               "%" PRIu64 ", expected the same or no offset",
                               row->offset, row->id, row->extent[0].offset);
    plan->offset[buffer] = row->offset;
    if (row->storage_id != STORAGE_IDS_NONE) {
        if (row->storage_id >= plan->buffers)
            return csv_fields_fail(rows, error,
                                   "found storage_id %" PRIu64
                                   " of buffer '%s', expected one below %u, the number of buffers",
                                   row->storage_id, row->id, plan->buffers);
        TRY(storage_ids_set(&plan->storage_id, plan->buffers, buffer, (uint32_t)row->storage_id,
                            error));
    }
    for (uint32_t i = 0; i < row->extents; i++) {
        TRY(check_end(rows, row->extent[i], error));
        TRY(plan_add_extent(plan, buffer, row->extent[i].offset, row->extent[i].bytes, error));
    }
    return row->extents ? STATUS_OK
                        : check_end(rows, (struct extent){row->offset, row->size}, error);
}

enum status problem_csv_read_plan(const struct text *text, const char *file,
                                  const struct problem *problem, struct plan *plan,
                                  struct error *error)
{
    SCOPED(csv_rows_free) struct csv_rows rows = {0};
    const struct csv_row *row = &rows.row;
    bool found;
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = PROBLEM_FREE;
    TRY(csv_rows_open(text, file, &rows, error));
    if (rows.parameters.length)
        return csv_fields_fail(&rows, error, "found parameters, expected a plan for one size");
    if (rows.column[CSV_OFFSET] < 0 && rows.column[CSV_EXTENTS] < 0)
        return csv_fields_fail(&rows, error, "found no column 'offset', expected one in a plan");
    for (;;) {
        TRY(csv_rows_next(&rows, &found, error));
        if (!found)
            break;
        uint32_t buffer = names_find(&problem->names, row->id);
        if (buffer == NAMES_NONE)
            return csv_fields_fail(&rows, error, "found buffer '%s', expected one of the problem",
                                   row->id);
        if (plan->offset[buffer] != PROBLEM_FREE)
            return csv_fields_fail(&rows, error, "found buffer '%s' again, expected each once",
                                   row->id);
        TRY(check_row(&rows, problem, buffer, error));
        TRY(read_place(&rows, buffer, plan, error));
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (plan->offset[b] == PROBLEM_FREE)
            return csv_fields_fail(&rows, error, "found no row of buffer '%s', expected one",
                                   names_get(&problem->names, b));
    TRY(plan_set_peak(plan, problem, error));
    plan->status = PLAN_FEASIBLE;
    return STATUS_OK;
}

enum status problem_csv_read_ids(const struct text *text, const char *file, struct names *ids,
                                 struct error *error)
{
    SCOPED(csv_rows_free) struct csv_rows rows = {0};
    bool found;
    TRY(csv_rows_open(text, file, &rows, error));
    for (;;) {
        TRY(csv_rows_next(&rows, &found, error));
        if (!found)
            return STATUS_OK;
        TRY(names_add(ids, rows.row.id, error));
    }
}
