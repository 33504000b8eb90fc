/* The mode whose weights travel into the arena itself, each operator's into a buffer of its own.
   The program is the fastest one that was found, whatever memory it takes, with transfers started
   as late as that costs no time. dma/planned/front.h trades time for memory. */
#include <string.h>

#include "core/memory.h"
#include "dma/modes/modes.h"
#include "dma/planned/early.h"
#include "dma/planned/schedule_program.h"
#include "dma/planned/search.h"

/* The work of a search, in operators that are walked over: unlike time it is the same on every
   machine. */
enum { MOST_WALKED = 400000 };

static enum status find_starts(const struct schedule_space *space,
                               const struct transfer_clock *clock, uint32_t *start,
                               struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    uint64_t left = MOST_WALKED;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left};
    for (uint32_t r = 0; r < regions->count; r++) {
        struct schedule_region region = schedule_region_at(space, r, clock);
        struct schedule_cost cost;
        TRY(schedule_search(&region, &goal, start + regions->region[r].weighted.first, &cost,
                            error));
    }
    bool early;
    left = MOST_WALKED;
    return schedule_start_early(space, &goal, start, &early, error);
}

static enum status write_program(const struct schedule_space *space,
                                 struct transfer_program **program, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    struct transfer_clock clock;
    uint32_t *start = NULL;
    enum status status;
    TRY_OR_DONE(status,
                transfer_clock_create(space->costs, regions->graph->operators, &clock, error));
    TRY_OR_DONE(status, memory_create(&start, space->places, sizeof *start, error));
    memcpy(start, regions->weighted_op, regions->weighted_count * sizeof *start);
    TRY_OR_DONE(status, find_starts(space, &clock, start, error));
    TRY_OR_DONE(status, schedule_program(space, start, program, error));
done:
    transfer_clock_clear(&clock);
    memory_free(start);
    return status;
}

static enum status build_planned(const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error)
{
    struct schedule_space *space;
    TRY(schedule_space_create(task->regions, task->costs, 1, &space, error));
    enum status status = write_program(space, program, error);
    schedule_space_free(space);
    return status;
}

const struct transfer_mode transfer_mode_planned = {
    .name = "planned",
    .title = "load into the arena, planned with the tensors; when is chosen for each weight",
    .in_arena = true,
    .build = build_planned,
};
