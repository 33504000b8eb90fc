#include "planning/problem/bounds.h"

#include <assert.h>

#include "core/checked.h"
#include "core/scratch.h"
#include "core/sort.h"

/* With `rounding`, the bytes of each buffer count as the least multiple of it that is not below its
   size; only problems without windows have one above 1. */
static uint64_t count_bytes(const struct problem *problem, uint32_t segment, uint64_t rounding)
{
    return align_up(problem_window_upper(problem, segment) - problem_window_lower(problem, segment),
                    rounding);
}

/* The start of a segment is an event with the key 2 * step + 1, its end an event with the key
   2 * step, so that at each step the ends come before the starts. */
static enum status sweep_events(const struct problem *problem, uint64_t rounding,
                                uint64_t *load_bytes, uint32_t *step, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    size_t count = 2 * (size_t)problem->segments;
    uint64_t *key, live = 0;
    uint32_t *segment;
    TRY(scratch_take_all(&scratch, count, error, &key, &segment));
    for (uint32_t s = 0; s < problem->segments; s++) {
        assert(problem->lower[s] < problem->upper[s]);
        key[2 * (size_t)s] = (uint64_t)problem->lower[s] * 2 + 1;
        key[2 * (size_t)s + 1] = (uint64_t)problem->upper[s] * 2;
        segment[2 * (size_t)s] = segment[2 * (size_t)s + 1] = s;
    }
    TRY(sort_items(key, segment, count, error));
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = count_bytes(problem, segment[i], rounding);
        assert(bytes > 0 && (i == 0 || key[i - 1] <= key[i]));
        assert(key[i] & 1 || live >= bytes);
        live = key[i] & 1 ? live + bytes : live - bytes;
        if (live > *load_bytes) {
            *load_bytes = live;
            *step = (uint32_t)(key[i] / 2);
        }
    }
    assert(live == 0);
    return STATUS_OK;
}

static enum status find_load(const struct problem *problem, uint64_t rounding, uint64_t *load_bytes,
                             uint32_t *step, struct error *error)
{
    uint64_t sum = 0;
    *load_bytes = *step = 0;
    if (!problem_is_by_clocks(problem)) {
        TRY(sweep_events(problem, rounding, load_bytes, step, error));
        assert(*load_bytes > 0 || problem->segments == 0);
        return STATUS_OK;
    }

    /* Clocks alone say the bytes of the heaviest antichain. Where the problem has only some of the
       buffers for which that was found, its largest buffer may have more. */
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t bytes = align_up(problem->size[b], rounding);
        sum += problem_upper(problem, b) == PROBLEM_ANTICHAIN_STEP + 1 ? bytes : 0;
        *load_bytes = bytes > *load_bytes ? bytes : *load_bytes;
    }
    *step = sum >= *load_bytes ? PROBLEM_ANTICHAIN_STEP : 0;
    *load_bytes = sum > *load_bytes ? sum : *load_bytes;
    return STATUS_OK;
}

enum status problem_load(const struct problem *problem, uint64_t *load_bytes, uint32_t *step,
                         struct error *error)
{
    uint32_t unasked_step;
    return find_load(problem, 1, load_bytes, step ? step : &unasked_step, error);
}

enum status bound_peak_unrounded(const struct problem *problem, uint64_t *bytes,
                                 struct error *error)
{
    TRY(problem_load(problem, bytes, NULL, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t end = problem->size[b];
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            end += problem_fixed_offset(problem, b);
        assert(end >= problem->size[b]);
        if (end > *bytes)
            *bytes = end;
    }
    return STATUS_OK;
}

/* What divides all offsets of every plan: fixed offsets, and the alignments of other buffers. 1
   where buffers use parts of their bytes, or where all sizes rounded up to it are too much for a
   sum. */
static uint64_t find_rounding(const struct problem *problem)
{
    uint64_t rounding = 0, sum = 0;
    for (uint32_t b = 0; b < problem->buffers && rounding != 1; b++) {
        uint64_t offset = problem_fixed_offset(problem, b);
        rounding = greatest_common_divisor(
            rounding, offset == PROBLEM_FREE ? problem_alignment(problem, b) : offset);
    }
    if (problem_has_windows(problem) || !rounding)
        return 1;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem->size[b] > INT64_MAX - rounding ||
            !checked_add(sum, align_up(problem->size[b], rounding), &sum))
            return 1;
    return rounding;
}

/* Where all offsets are multiples of one number, a buffer that lies above another begins at the
   other's size rounded up to it, or higher. So buffers that are live together need all their
   rounded sizes, but for what the rounding added to the one on top. */
enum status bound_rounded_load(const struct problem *problem, struct rounded_load *load,
                               struct error *error)
{
    uint64_t most_added = 0;
    *load = (struct rounded_load){.rounding = find_rounding(problem)};
    if (load->rounding == 1)
        return STATUS_OK;
    TRY(find_load(problem, load->rounding, &load->bytes, &load->step, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t added = align_up(problem->size[b], load->rounding) - problem->size[b];
        most_added = added > most_added ? added : most_added;
    }
    load->bytes -= load->bytes > most_added ? most_added : load->bytes;
    return STATUS_OK;
}

enum status bound_peak(const struct problem *problem, uint64_t *bytes, struct error *error)
{
    struct rounded_load load;
    TRY(bound_peak_unrounded(problem, bytes, error));
    TRY(bound_rounded_load(problem, &load, error));
    *bytes = load.bytes > *bytes ? load.bytes : *bytes;
    return STATUS_OK;
}
