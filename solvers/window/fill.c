#include "solvers/window/fill.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"

/* Whether the time is up. It is called for every buffer, but looks at the clock only now and
   then. */
static bool is_over(const struct fill_rule *rule, uint32_t calls)
{
    enum { LOOK_EVERY = 256 };
    return calls % LOOK_EVERY == 0 && !clock_left_ns(rule->deadline_ns);
}

enum status fill_draft(struct draft *draft, const struct fill_rule *rule, struct fill_whole *whole,
                       struct error *error)
{
    const struct problem *problem = draft->problem;
    struct occupancy *occupancy = rule->occupancy;
    assert(occupancy && rule->sorted);
    const struct fit *fit = fit_find("first");
    struct gap_walk walk;
    uint64_t peak_bytes = 0, *offset = whole->offset;
    assert(fit && !draft->unplaced.count);
    whole->peak_bytes = UINT64_MAX;
    /* All buffers that have an offset take their places, so that nothing is laid over them. */
    TRY(occupancy_begin(occupancy, offset, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (draft->offset[b] != PROBLEM_FREE && offset[b] == PROBLEM_FREE)
            TRY(occupancy_take(occupancy, b, draft->offset[b], draft->offset[b] + problem->size[b],
                               error));
    for (uint32_t i = 0; i < problem->buffers && !is_over(rule, i); i++) {
        uint32_t b = rule->sorted[i];
        uint64_t size = problem->size[b], lowest;
        assert(b < problem->buffers);
        if (i + 1 < problem->buffers)
            occupancy_prefetch(occupancy, rule->sorted[i + 1]);
        if (draft->offset[b] != PROBLEM_FREE)
            continue;
        occupancy_walk(occupancy, b, &walk);
        if (size > draft->capacity_bytes || !fit_choose(fit, &walk, &lowest) ||
            lowest > draft->capacity_bytes - size) {
            TRY(draft_wait(draft, b, error));
            continue;
        }
        assert(lowest + size <= draft->capacity_bytes);
        draft->offset[b] = lowest;
        TRY(occupancy_take(occupancy, b, lowest, lowest + size, error));
    }
    /* In the plan of the whole those that wait lie wherever there is room. */
    memcpy(offset, draft->offset, problem->buffers * sizeof *offset);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = rule->sorted[i];
        if (is_over(rule, i))
            return STATUS_OK;
        if (offset[b] == PROBLEM_FREE) {
            occupancy_walk(occupancy, b, &walk);
            if (!fit_choose(fit, &walk, &offset[b]))
                return STATUS_OK;
            TRY(occupancy_take(occupancy, b, offset[b], offset[b] + problem->size[b], error));
        }
        uint64_t end = offset[b] + problem->size[b];
        assert(end > offset[b]);
        peak_bytes = end > peak_bytes ? end : peak_bytes;
    }
    assert(draft->unplaced.count || peak_bytes <= draft->capacity_bytes);
    whole->peak_bytes = peak_bytes;
    return STATUS_OK;
}
