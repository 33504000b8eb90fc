#include "solvers/window/fill.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "planning/arena/fit.h"

struct fill {
    struct draft *draft;
    const struct fill_rule *rule;
    const struct fit *fit;
    struct error *error;
};

/* True where the time is up. It is asked for every buffer in turn, and looks at the clock only now
   and then. */
static bool is_over(const struct fill *fill, uint32_t turn)
{
    enum { TURNS = 4096 };
    return turn % TURNS == 0 && !clock_left_ns(fill->rule->deadline_ns);
}

static enum status take(const struct fill *fill, uint32_t buffer, uint64_t offset)
{
    return occupancy_take(fill->rule->occupancy, buffer, offset,
                          offset + fill->draft->problem->size[buffer], fill->error);
}

static bool find_place(const struct fill *fill, uint32_t buffer, uint64_t *offset)
{
    struct gap_walk walk;
    occupancy_walk(fill->rule->occupancy, buffer, &walk);
    return fit_choose(fill->fit, &walk, offset);
}

/* Takes the places of all buffers that have an offset, so that nothing is laid over them. */
static enum status take_placed(const struct fill *fill, uint64_t *scratch)
{
    const struct draft *draft = fill->draft;
    TRY(occupancy_begin(fill->rule->occupancy, scratch, fill->error));
    for (uint32_t b = 0; b < draft->problem->buffers; b++)
        if (draft->offset[b] != PROBLEM_FREE && scratch[b] == PROBLEM_FREE)
            TRY(take(fill, b, draft->offset[b]));
    return STATUS_OK;
}

static enum status place_below(const struct fill *fill)
{
    struct draft *draft = fill->draft;
    const struct problem *problem = draft->problem;
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = fill->rule->sorted[i];
        uint64_t offset;
        if (is_over(fill, i))
            return STATUS_OK;
        if (draft->offset[b] != PROBLEM_FREE)
            continue;
        if (problem->size[b] > draft->capacity_bytes || !find_place(fill, b, &offset) ||
            offset > draft->capacity_bytes - problem->size[b]) {
            TRY(draft_wait(draft, b, fill->error));
            continue;
        }
        draft->offset[b] = offset;
        TRY(take(fill, b, offset));
    }
    return STATUS_OK;
}

static enum status place_above(const struct fill *fill, struct fill_whole *whole)
{
    const struct problem *problem = fill->draft->problem;
    uint64_t peak_bytes = 0;
    whole->peak_bytes = UINT64_MAX;
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = fill->rule->sorted[i];
        if (is_over(fill, i))
            return STATUS_OK;
        if (whole->offset[b] == PROBLEM_FREE) {
            if (!find_place(fill, b, &whole->offset[b]))
                return STATUS_OK;
            TRY(take(fill, b, whole->offset[b]));
        }
        uint64_t end = whole->offset[b] + problem->size[b];
        peak_bytes = end > peak_bytes ? end : peak_bytes;
    }
    whole->peak_bytes = peak_bytes;
    return STATUS_OK;
}

enum status fill_draft(struct draft *draft, const struct fill_rule *rule, struct fill_whole *whole,
                       struct error *error)
{
    const struct fill fill = {draft, rule, fit_find("first"), error};
    assert(fill.fit && !draft->unplaced.count);
    TRY(take_placed(&fill, whole->offset));
    TRY(place_below(&fill));
    memcpy(whole->offset, draft->offset, draft->problem->buffers * sizeof *whole->offset);
    return place_above(&fill, whole);
}
