#include "proofs/checker/bounds.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

static int64_t round_down(int64_t value, int64_t step)
{
    assert(step >= 1);
    int64_t rest = value % step;
    return rest < 0 ? value - rest - step : value - rest;
}

static void set_first(struct bounds *bounds, uint32_t b)
{
    int64_t fixed = bounds->problem->buffer[b].fixed;
    int64_t highest = bounds->capacity - bounds->problem->buffer[b].size;
    bounds->low[b] = fixed == BUFFER_FREE ? 0 : fixed;
    bounds->high[b] =
        fixed == BUFFER_FREE || fixed > highest ? round_down(highest, bounds->step[b]) : fixed;
}

static bool is_of_unit(const struct problem *problem, uint32_t b, int64_t unit)
{
    const struct buffer *buffer = &problem->buffer[b];
    bool fine = buffer->size % unit == 0 &&
                (buffer->fixed == BUFFER_FREE || buffer->fixed % unit == 0) &&
                (buffer->alignment % unit == 0 || unit % buffer->alignment == 0);
    for (size_t s = buffer->first; fine && s < buffer->end; s++)
        fine = problem->segment[s].begin % unit == 0 && problem->segment[s].end % unit == 0;
    return fine;
}

bool check_bounds_create(struct bounds *bounds, const struct problem *problem, struct fault *fault)
{
    size_t buffers = problem->buffers;
    *bounds = (struct bounds){.problem = problem};
    bounds->step = check_create(buffers, sizeof *bounds->step, fault);
    bounds->low = check_create(buffers, sizeof *bounds->low, fault);
    bounds->high = check_create(buffers, sizeof *bounds->high, fault);
    bounds->is_used = check_create(buffers, sizeof *bounds->is_used, fault);
    bounds->is_touched = check_create(buffers, sizeof *bounds->is_touched, fault);
    bounds->touched = check_create(buffers, sizeof *bounds->touched, fault);
    return bounds->step && bounds->low && bounds->high && bounds->is_used && bounds->is_touched &&
           bounds->touched;
}

bool check_bounds_begin(struct bounds *bounds, int64_t capacity, int64_t unit, struct fault *fault)
{
    const struct problem *problem = bounds->problem;
    bounds->capacity = capacity;
    if (unit < 1 || capacity < 0)
        return UNREADABLE(fault, "found a unit below 1, or a capacity below 0");
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (!bounds->is_used[b])
            continue;
        if (!is_of_unit(problem, b, unit))
            return REFUSED(fault, "buffer %" PRIu32 " is not in units of %" PRId64, b, unit);
        /* A fixed offset stays what it is, whatever the alignment. */
        int64_t alignment = problem->buffer[b].alignment;
        bounds->step[b] = problem->buffer[b].fixed != BUFFER_FREE ? 1
                          : alignment > unit                      ? alignment
                                                                  : unit;
        set_first(bounds, b);
        bounds->absurd_at_first = bounds->absurd_at_first || bounds->low[b] > bounds->high[b];
    }
    bounds->absurd = bounds->absurd_at_first;
    return true;
}

void check_bounds_free(struct bounds *bounds)
{
    free(bounds->step);
    free(bounds->low);
    free(bounds->high);
    free(bounds->is_used);
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
    assert(bounds->is_used[b]);
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
