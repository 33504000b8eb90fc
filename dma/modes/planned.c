/* The mode whose weights travel into the arena itself, each operator's into a buffer of its own.
   The program is the fastest one that was found, whatever memory it takes; transfers start as late
   as they can without making it slower. dma/planned/front.h trades time for memory. */
#include <string.h>

#include "core/memory.h"
#include "dma/modes/modes.h"
#include "dma/planned/all.h"
#include "dma/planned/early.h"
#include "dma/planned/keep.h"
#include "dma/planned/schedule_program.h"
#include "dma/planned/search.h"

/* How much work a search may do, counted in operators that are walked over. A limit in time would
   give different programs on different machines. */
enum { MOST_WALKED = 400000 };

/* The steps by which a schedule is found, with their intermediate results. */
struct finder {
    const struct schedule_space *space;
    struct schedule_walk walk;
    /* [places] the schedule in which each region starts its own transfers: no weights are early or
       kept */
    uint32_t *own;
    /* [places] the schedule with kept weights that is compared with the best one */
    uint32_t *tried;
    struct error *error;
};

static enum status search_regions(struct finder *finder)
{
    const struct transfer_regions *regions = finder->space->regions;
    uint64_t left = MOST_WALKED;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left, false};
    schedule_sync(finder->space, finder->own);
    for (uint32_t r = 0; r < regions->count; r++) {
        struct schedule_region region = schedule_region_at(finder->space, r, &finder->walk);
        struct schedule_cost cost;
        TRY(schedule_search(&region, &goal, finder->own + regions->region[r].weighted.first, &cost,
                            finder->error));
    }
    return STATUS_OK;
}

static enum status start_early(struct finder *finder, uint32_t *start)
{
    uint64_t left = MOST_WALKED;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left, false};
    bool early;
    return schedule_start_early(finder->space, &goal, start, &early, finder->error);
}

/* Where a graph has few schedules, tries them all and takes the fastest of those that keep no
   weights; *found says whether that was done. */
static enum status take_fastest(struct finder *finder, uint32_t *start, bool *found)
{
    const struct schedule_space *space = finder->space;
    struct schedule_candidates candidates;
    *found = false;
    if (!schedule_all_are_few(space))
        return STATUS_OK;
    enum status status = schedule_all_try(space, UINT64_MAX, &candidates, finder->error);
    *found = !status && candidates.complete;
    if (*found)
        memcpy(start, candidates.candidate[0].start, space->places * sizeof *start);
    schedule_candidates_clear(&candidates);
    return status;
}

static enum status measure(struct finder *finder, const uint32_t *start, uint64_t *expected_ns)
{
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    struct transfer_times times = {UINT64_MAX, UINT64_MAX};
    enum status status = schedule_run_fill(finder->space, start, &run, &times, finder->error);
    *expected_ns = status ? UINT64_MAX : times.expected_ns;
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

/* Tries a schedule whose weights are kept while loops run; it replaces start[] if it is faster. */
static enum status try_kept(struct finder *finder, uint32_t *start)
{
    uint64_t left = MOST_WALKED, expected_ns, kept_ns;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left, false};
    size_t bytes = finder->space->places * sizeof *start;
    bool kept;
    memcpy(finder->tried, finder->own, bytes);
    TRY(schedule_keep(finder->space, &goal, finder->tried, &kept, finder->error));
    if (!kept)
        return STATUS_OK;
    TRY(start_early(finder, finder->tried));
    TRY(measure(finder, start, &expected_ns));
    TRY(measure(finder, finder->tried, &kept_ns));
    if (kept_ns < expected_ns)
        memcpy(start, finder->tried, bytes);
    return STATUS_OK;
}

static enum status find_starts(struct finder *finder, uint32_t *start)
{
    const struct schedule_space *space = finder->space;
    bool found;
    TRY(schedule_walk_create(space, &finder->walk, finder->error));
    TRY(memory_create(&finder->own, space->places, sizeof *finder->own, finder->error));
    TRY(memory_create(&finder->tried, space->places, sizeof *finder->tried, finder->error));
    TRY(search_regions(finder));
    TRY(take_fastest(finder, start, &found));
    if (!found) {
        memcpy(start, finder->own, space->places * sizeof *start);
        TRY(start_early(finder, start));
    }
    return try_kept(finder, start);
}

static void clear_finder(struct finder *finder)
{
    schedule_walk_clear(&finder->walk);
    memory_free(finder->own);
    memory_free(finder->tried);
}

static enum status write_program(const struct schedule_space *space,
                                 struct transfer_program **program, struct error *error)
{
    SCOPED(clear_finder) struct finder finder = {.space = space, .error = error};
    SCOPED(memory_release) uint32_t *start = NULL;
    TRY(memory_create(&start, space->places, sizeof *start, error));
    TRY(find_starts(&finder, start));
    return schedule_program(space, start, program, error);
}

/* The search also begins from the program of mode cross_region, the other mode that starts
   transfers early. */
static enum status add_guess(const struct transfer_task *task, struct schedule_space *space,
                             struct error *error)
{
    const struct transfer_mode *mode;
    SCOPED(transfer_program_release) struct transfer_program *guess = NULL;
    TRY(transfer_modes_find("cross_region", &mode, error));
    TRY(transfer_modes_build(mode, task, &guess, error));
    return schedule_guess(space, guess, error);
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
