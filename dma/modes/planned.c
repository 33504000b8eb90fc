/* The mode whose weights travel into the arena itself, each operator's into a buffer of its own.
   The program is the fastest one that was found, whatever memory it takes, with transfers started
   as late as that costs no time. dma/planned/front.h trades time for memory. */
#include <string.h>

#include "core/memory.h"
#include "dma/modes/modes.h"
#include "dma/planned/all.h"
#include "dma/planned/early.h"
#include "dma/planned/schedule_program.h"
#include "dma/planned/search.h"

/* The work of a search, in operators that are walked over: unlike time it is the same on every
   machine. */
enum { MOST_WALKED = 400000 };

static enum status search_starts(const struct schedule_space *space,
                                 const struct schedule_walk *walk, uint32_t *start,
                                 struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    uint64_t left = MOST_WALKED;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left, false};
    for (uint32_t r = 0; r < regions->count; r++) {
        struct schedule_region region = schedule_region_at(space, r, walk);
        struct schedule_cost cost;
        TRY(schedule_search(&region, &goal, start + regions->region[r].weighted.first, &cost,
                            error));
    }
    bool early;
    left = MOST_WALKED;
    return schedule_start_early(space, &goal, start, &early, error);
}

static enum status find_starts(const struct schedule_space *space, uint32_t *start,
                               struct error *error)
{
    struct schedule_walk walk;
    enum status status = schedule_walk_create(space, &walk, error);
    schedule_sync(space, start);
    if (!status)
        status = search_starts(space, &walk, start, error);
    schedule_walk_clear(&walk);
    return status;
}

/* The fastest schedule of all, where there are few. */
static enum status take_fastest(const struct schedule_space *space, uint32_t *start, bool *found,
                                struct error *error)
{
    struct schedule_candidates candidates;
    *found = false;
    if (!schedule_all_are_few(space))
        return STATUS_OK;
    enum status status = schedule_all_try(space, UINT64_MAX, &candidates, error);
    *found = !status && candidates.complete;
    if (*found)
        memcpy(start, candidates.candidate[0].start, space->places * sizeof *start);
    schedule_candidates_clear(&candidates);
    return status;
}

static enum status write_program(const struct schedule_space *space,
                                 struct transfer_program **program, struct error *error)
{
    uint32_t *start;
    bool found;
    TRY(memory_create(&start, space->places, sizeof *start, error));
    enum status status = take_fastest(space, start, &found, error);
    if (!status && !found)
        status = find_starts(space, start, error);
    if (!status)
        status = schedule_program(space, start, program, error);
    memory_free(start);
    return status;
}

/* The other mode that starts transfers early is where the search begins, too. */
static enum status add_guess(const struct transfer_task *task, struct schedule_space *space,
                             struct error *error)
{
    const struct transfer_mode *mode;
    struct transfer_program *guess;
    TRY(transfer_modes_find("cross_region", &mode, error));
    TRY(transfer_modes_build(mode, task, &guess, error));
    enum status status = schedule_guess(space, guess, error);
    transfer_program_free(guess);
    return status;
}

static enum status build_planned(const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error)
{
    struct schedule_space *space;
    TRY(schedule_space_create(task->regions, task->costs, 1, &space, error));
    enum status status = add_guess(task, space, error);
    if (!status)
        status = write_program(space, program, error);
    schedule_space_free(space);
    return status;
}

const struct transfer_mode transfer_mode_planned = {
    .name = "planned",
    .title = "load into the arena, planned with the tensors; when is chosen for each weight",
    .in_arena = true,
    .build = build_planned,
};
