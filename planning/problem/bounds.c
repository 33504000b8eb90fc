#include "planning/problem/bounds.h"

#include <assert.h>

#include "core/scratch.h"
#include "core/sort.h"

/* The start of a segment is an event with the key 2 * step + 1, its end an event with the key
   2 * step, so that at each step the ends come before the starts. */
static enum status sweep_events(const struct problem *problem, uint64_t *load_bytes, uint32_t *step,
                                struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    size_t count = 2 * (size_t)problem->segments;
    uint64_t *key, live = 0;
    uint32_t *segment;
    TRY(scratch_take(&scratch, &key, count, sizeof *key, error));
    TRY(scratch_take(&scratch, &segment, count, sizeof *segment, error));
    for (uint32_t s = 0; s < problem->segments; s++) {
        assert(problem->lower[s] < problem->upper[s]);
        key[2 * (size_t)s] = (uint64_t)problem->lower[s] * 2 + 1;
        key[2 * (size_t)s + 1] = (uint64_t)problem->upper[s] * 2;
        segment[2 * (size_t)s] = segment[2 * (size_t)s + 1] = s;
    }
    TRY(sort_items(key, segment, count, error));
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes =
            problem_window_upper(problem, segment[i]) - problem_window_lower(problem, segment[i]);
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

enum status problem_load(const struct problem *problem, uint64_t *load_bytes, uint32_t *step,
                         struct error *error)
{
    uint32_t unasked_step;
    uint64_t sum = 0;
    step = step ? step : &unasked_step;
    *load_bytes = *step = 0;
    if (!problem_is_by_clocks(problem)) {
        TRY(sweep_events(problem, load_bytes, step, error));
        assert(*load_bytes > 0 || problem->segments == 0);
        return STATUS_OK;
    }

    /* Clocks alone say the bytes of the heaviest antichain. Where the problem has only some of the
       buffers for which that was found, its largest buffer may have more. */
    for (uint32_t b = 0; b < problem->buffers; b++) {
        sum += problem_upper(problem, b) == PROBLEM_ANTICHAIN_STEP + 1 ? problem->size[b] : 0;
        *load_bytes = problem->size[b] > *load_bytes ? problem->size[b] : *load_bytes;
    }
    *step = sum >= *load_bytes ? PROBLEM_ANTICHAIN_STEP : 0;
    *load_bytes = sum > *load_bytes ? sum : *load_bytes;
    return STATUS_OK;
}

enum status bound_peak(const struct problem *problem, uint64_t *bytes, struct error *error)
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
