#include "planning/problem/bounds.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

/* Lists an event for the start of each segment, with the key step * 2 + 1, and one for its end,
   with the key step * 2, so that of the events at one step the ends come first. */
static void list_events(const struct problem *problem, uint64_t *key, uint32_t *segment)
{
    for (uint32_t s = 0; s < problem->segments; s++) {
        assert(problem->lower[s] < problem->upper[s]);
        key[2 * (size_t)s] = (uint64_t)problem->lower[s] * 2 + 1;
        key[2 * (size_t)s + 1] = (uint64_t)problem->upper[s] * 2;
        segment[2 * (size_t)s] = segment[2 * (size_t)s + 1] = s;
    }
}

static void sweep_events(const struct problem *problem, const uint64_t *key,
                         const uint32_t *segment, uint64_t *load_bytes, uint32_t *step)
{
    uint64_t live = 0;
    for (size_t i = 0; i < 2 * (size_t)problem->segments; i++) {
        assert(problem_window_lower(problem, segment[i]) <
               problem_window_upper(problem, segment[i]));
        uint64_t bytes =
            problem_window_upper(problem, segment[i]) - problem_window_lower(problem, segment[i]);
        assert(i == 0 || key[i - 1] <= key[i]);
        assert(key[i] & 1 || live >= bytes);
        live = key[i] & 1 ? live + bytes : live - bytes;
        if (live > *load_bytes) {
            *load_bytes = live;
            *step = (uint32_t)(key[i] / 2);
        }
    }
    assert(live == 0);
}

/* The load of a problem of clocks alone: the bytes of its heaviest antichain. Where the problem has
   only some of the buffers for which that was found, its largest buffer may have more. */
static void add_antichain(const struct problem *problem, uint64_t *bytes, uint32_t *step)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (problem_upper(problem, b) == PROBLEM_ANTICHAIN_STEP + 1)
            sum += problem->size[b];
        *bytes = problem->size[b] > *bytes ? problem->size[b] : *bytes;
    }
    *step = sum >= *bytes ? PROBLEM_ANTICHAIN_STEP : 0;
    *bytes = sum > *bytes ? sum : *bytes;
}

enum status problem_load(const struct problem *problem, uint64_t *load_bytes, uint32_t *step,
                         struct error *error)
{
    size_t count = 2 * (size_t)problem->segments;
    uint64_t *key = NULL;
    uint32_t *segment = NULL, first_step = 0;
    enum status status = STATUS_OK;
    *load_bytes = 0;
    if (problem_is_by_clocks(problem)) {
        add_antichain(problem, load_bytes, &first_step);
    } else {
        TRY_OR_DONE(status, memory_create(&key, count, sizeof *key, error));
        TRY_OR_DONE(status, memory_create(&segment, count, sizeof *segment, error));
        list_events(problem, key, segment);
        TRY_OR_DONE(status, sort_items(key, segment, count, error));
        sweep_events(problem, key, segment, load_bytes, &first_step);
    }
    assert(*load_bytes > 0 || problem->segments == 0);
    if (step)
        *step = first_step;
done:
    memory_free(key);
    memory_free(segment);
    return status;
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
