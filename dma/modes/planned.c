#include <string.h>

#include "core/memory.h"
#include "dma/modes/builders.h"
#include "dma/planned/early.h"

/* Operators that are walked over while starts are sought; the same on every machine. */
enum { MOST_WALKED = 400000 };

static enum status find_starts(const struct prefetch *prefetch, const struct transfer_clock *clock,
                               uint32_t *start, struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    uint64_t left = MOST_WALKED;
    const struct prefetch_goal goal = {UINT64_MAX, UINT64_MAX, &left};
    for (uint32_t r = 0; r < regions->count; r++) {
        struct prefetch_region region = prefetch_region_at(prefetch, r, clock);
        struct prefetch_cost cost;
        TRY(prefetch_search(&region, &goal, start + regions->region[r].bearers.first, &cost,
                            error));
    }
    bool early;
    left = MOST_WALKED;
    return prefetch_cross(prefetch, &goal, start, &early, error);
}

static enum status build(const struct prefetch *prefetch, struct transfer_program **program,
                         struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    struct transfer_clock clock;
    uint32_t *start = NULL;
    enum status status;
    TRY_OR_DONE(status,
                transfer_clock_create(prefetch->costs, regions->graph->operators, &clock, error));
    TRY_OR_DONE(status, memory_create(&start, prefetch->places, sizeof *start, error));
    memcpy(start, regions->bearer, regions->bearers * sizeof *start);
    TRY_OR_DONE(status, find_starts(prefetch, &clock, start, error));
    TRY_OR_DONE(status, prefetch_program(prefetch, start, program, error));
done:
    transfer_clock_clear(&clock);
    memory_free(start);
    return status;
}

enum status mode_build_planned(const struct transfer_task *task, struct transfer_program **program,
                               struct error *error)
{
    struct prefetch *prefetch;
    TRY(prefetch_create(task->regions, task->costs, 1, &prefetch, error));
    enum status status = build(prefetch, program, error);
    prefetch_free(prefetch);
    return status;
}
