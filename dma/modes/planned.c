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

/* How much work a search may do, in operators visited. A limit in time would give different
   programs on different machines. */
enum { MOST_WALKED = 400000 };

/* A schedule, and that in which each region starts its own transfers: no weights are early or
   kept. */
struct finder {
    struct schedule_space *space;
    uint32_t *start, *own, *tried; /* [places] */
    struct error *error;
};

static enum status search_regions(struct finder *finder)
{
    const struct transfer_regions *regions = finder->space->regions;
    uint64_t left = MOST_WALKED;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left, false};
    SCOPED(schedule_walk_clear) struct schedule_walk walk = {0};
    TRY(schedule_walk_create(finder->space, &walk, finder->error));
    schedule_sync(finder->space, finder->own);
    for (uint32_t r = 0; r < regions->count; r++) {
        struct schedule_region region = schedule_region_at(finder->space, r, &walk);
        uint32_t *start = finder->own + regions->region[r].weighted.first;
        struct schedule_cost cost;
        TRY(schedule_search(&region, &goal, start, &cost, finder->error));
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
static enum status take_fastest(struct finder *finder, bool *found)
{
    const struct schedule_space *space = finder->space;
    SCOPED(schedule_candidates_clear) struct schedule_candidates candidates = {0};
    *found = false;
    if (!schedule_all_are_few(space))
        return STATUS_OK;
    TRY(schedule_all_try(space, UINT64_MAX, &candidates, finder->error));
    *found = candidates.complete;
    if (*found)
        memcpy(finder->start, candidates.candidate[0].start, space->places * sizeof(uint32_t));
    return STATUS_OK;
}

static enum status measure(struct finder *finder, const uint32_t *start, uint64_t *expected_ns)
{
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    struct transfer_times times = {UINT64_MAX, UINT64_MAX};
    enum status status = schedule_run_fill(finder->space, start, &run, &times, finder->error);
    *expected_ns = status ? UINT64_MAX : times.expected_ns;
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

/* Tries a schedule whose weights are kept while loops run, and takes it if it is faster. */
static enum status try_kept(struct finder *finder)
{
    uint64_t left = MOST_WALKED, expected_ns, kept_ns;
    const struct schedule_goal goal = {UINT64_MAX, UINT64_MAX, &left, false};
    size_t bytes = finder->space->places * sizeof(uint32_t);
    bool kept;
    memcpy(finder->tried, finder->own, bytes);
    TRY(schedule_keep(finder->space, &goal, finder->tried, &kept, finder->error));
    if (!kept)
        return STATUS_OK;
    TRY(start_early(finder, finder->tried));
    TRY(measure(finder, finder->start, &expected_ns));
    TRY(measure(finder, finder->tried, &kept_ns));
    if (kept_ns < expected_ns)
        memcpy(finder->start, finder->tried, bytes);
    return STATUS_OK;
}

static void clear_finder(struct finder *finder)
{
    memory_free_all(finder->start, finder->own, finder->tried);
    schedule_space_free(finder->space);
}

static enum status build_planned(const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error)
{
    SCOPED(clear_finder) struct finder finder = {.error = error};
    SCOPED(transfer_program_release) struct transfer_program *guess = NULL;
    const struct transfer_mode *mode;
    bool found;
    TRY(schedule_space_create(task->regions, task->costs, 1, &finder.space, error));

    /* The search also begins from the program of mode cross_region, the other mode that starts
       transfers early. */
    TRY(transfer_modes_find("cross_region", &mode, error));
    TRY(transfer_modes_build(mode, task, &guess, error));
    TRY(schedule_guess(finder.space, guess, error));
    uint32_t places = finder.space->places;
    TRY(memory_create_all(places, error, &finder.start, &finder.own, &finder.tried));
    TRY(search_regions(&finder));
    TRY(take_fastest(&finder, &found));
    if (!found) {
        memcpy(finder.start, finder.own, places * sizeof *finder.start);
        TRY(start_early(&finder, finder.start));
    }
    TRY(try_kept(&finder));
    return schedule_program(finder.space, finder.start, program, error);
}

const struct transfer_mode transfer_mode_planned = {
    .name = "planned",
    .title = "load into the arena, planned with the tensors; when is chosen for each weight",
    .in_arena = true,
    .build = build_planned,
};
