#include "proofs/checker/bounds.h"

#include <inttypes.h>
#include <stdlib.h>

static int64_t round_down(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return rest < 0 ? value - rest - step : value - rest;
}

static void set_first(struct bounds *bounds, uint32_t b)
{
    int64_t fixed = bounds->problem->fixed[b];
    int64_t highest = bounds->capacity - bounds->problem->size[b];
    bounds->low[b] = fixed == PROBLEM_FREE ? 0 : fixed;
    bounds->high[b] =
        fixed == PROBLEM_FREE || fixed > highest ? round_down(highest, bounds->step[b]) : fixed;
}

static bool is_of_unit(const struct problem *problem, uint32_t b, int64_t unit)
{
    int64_t alignment = problem->alignment[b], fixed = problem->fixed[b];
    bool fine = problem->size[b] % unit == 0 && (fixed == PROBLEM_FREE || fixed % unit == 0) &&
                (alignment % unit == 0 || unit % alignment == 0);
    for (uint32_t s = problem->first[b]; fine && s < problem->first[b + 1]; s++)
        fine = problem->segment[s].begin % unit == 0 && problem->segment[s].end % unit == 0;
    return fine;
}

bool check_bounds_create(struct bounds *bounds, const struct problem *problem, int64_t capacity,
                         int64_t unit, bool *is_used, struct fault *fault)
{
    size_t buffers = problem->buffers;
    *bounds = (struct bounds){.problem = problem, .capacity = capacity, .is_used = is_used};
    if (unit < 1)
        return check_fault_unreadable(fault, "found a unit below 1");
    bounds->step = calloc(buffers, sizeof *bounds->step);
    bounds->low = calloc(buffers, sizeof *bounds->low);
    bounds->high = calloc(buffers, sizeof *bounds->high);
    bounds->is_touched = calloc(buffers, sizeof *bounds->is_touched);
    bounds->touched = calloc(buffers, sizeof *bounds->touched);
    if (!bounds->step || !bounds->low || !bounds->high || !bounds->is_touched || !bounds->touched)
        return check_fault_memory(fault);
    for (uint32_t b = 0; b < buffers; b++) {
        if (!is_used[b])
            continue;
        if (!is_of_unit(problem, b, unit))
            return check_fault_refused(fault, "buffer %" PRIu32 " is not in units of %" PRId64, b,
                                       unit);
        /* A fixed offset stays what it is, whatever the alignment. */
        int64_t alignment = problem->alignment[b] > unit ? problem->alignment[b] : unit;
        bounds->step[b] = problem->fixed[b] == PROBLEM_FREE ? alignment : 1;
        set_first(bounds, b);
        bounds->absurd_at_first = bounds->absurd_at_first || bounds->low[b] > bounds->high[b];
    }
    bounds->absurd = bounds->absurd_at_first;
    return true;
}

void check_bounds_free(struct bounds *bounds)
{
    free(bounds->is_used);
    free(bounds->step);
    free(bounds->low);
    free(bounds->high);
    free(bounds->is_touched);
    free(bounds->touched);
}

void check_bounds_restart(struct bounds *bounds)
{
    while (bounds->touched_count) {
        uint32_t b = bounds->touched[--bounds->touched_count];
        bounds->is_touched[b] = false;
        set_first(bounds, b);
    }
    bounds->absurd = bounds->absurd_at_first;
}

static void touch(struct bounds *bounds, uint32_t b)
{
    if (!bounds->is_touched[b])
        bounds->touched[bounds->touched_count++] = b;
    bounds->is_touched[b] = true;
    bounds->absurd = bounds->absurd || bounds->low[b] > bounds->high[b];
}

void check_bounds_raise(struct bounds *bounds, uint32_t b, int64_t low)
{
    if (low <= bounds->low[b])
        return;
    /* Not rounded where it is too high anyway, so that nothing overflows. */
    bounds->low[b] = low > bounds->high[b] ? low : -round_down(-low, bounds->step[b]);
    touch(bounds, b);
}

void check_bounds_lower(struct bounds *bounds, uint32_t b, int64_t high)
{
    if (high >= bounds->high[b])
        return;
    bounds->high[b] = high < bounds->low[b] ? high : round_down(high, bounds->step[b]);
    touch(bounds, b);
}
