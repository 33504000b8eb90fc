#include "dma/planned/early.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"
#include "dma/program/paths.h"

/* How much a region's other starts are searched for one place that is tried, in operators walked
   over. */
enum { TUNE_WALKED = 4000 };
/* How much work it is to measure a schedule, in walks over all operators of the graph. */
enum { MEASURE_WALKS = 5 };

/* A schedule of the whole graph with what it takes. */
struct candidate {
    uint32_t *start; /* [places] */
    struct transfer_times times;
};

/* Schedules are tried one after another, and the best one is kept: the one with the shortest
   expected time, or the shortest worst one where that is the same. */
struct trials {
    const struct schedule_space *space;
    const struct schedule_goal *goal;
    uint64_t capacity_bytes;
    struct candidate best;  /* so far */
    struct candidate tried; /* at hand */
    struct candidate tuned; /* that one with other starts in one region */
    struct transfer_clock clock;
    struct region_transfer *under_way; /* [weighted_count] when a region that is tuned begins */
    struct error *error;
};

static bool is_better(const struct transfer_times *times, const struct transfer_times *than)
{
    return times->expected_ns < than->expected_ns ||
           (times->expected_ns == than->expected_ns && times->worst_ns < than->worst_ns);
}

static void copy(const struct trials *trials, struct candidate *to, const struct candidate *from)
{
    memcpy(to->start, from->start, trials->space->places * sizeof *to->start);
    to->times = from->times;
}

/* The place of a region's n-th weighted operator before a border. */
static uint32_t *get_place(const struct trials *trials, const struct candidate *candidate,
                           uint32_t r, uint32_t n, uint32_t border)
{
    return &candidate->start[schedule_place(trials->space, r, n, border)];
}

/* Searches those starts of a region again that are not early; *found says whether there are any
   within the capacity. */
static enum status tune(struct trials *trials, const struct region_times *region_times, uint32_t r,
                        struct candidate *candidate, bool *found)
{
    const struct transfer_region *region = &trials->space->regions->region[r];
    uint32_t early = schedule_early_count(trials->space, candidate->start, r);
    uint64_t walked = TUNE_WALKED;
    const struct schedule_goal goal = {trials->capacity_bytes, trials->goal->deadline_ns, &walked};
    struct schedule_region own =
        schedule_region_entered(trials->space, r, &trials->clock, region_times, trials->under_way);
    struct schedule_cost cost;
    *found = false;
    if (early == region->weighted.count || own.early_count != early)
        return STATUS_OK;
    assert(early < own.count);
    own.weighted_op += early;
    own.count -= early;
    enum status status = schedule_search(
        &own, &goal, candidate->start + region->weighted.first + early, &cost, trials->error);
    schedule_goal_take(trials->goal, TUNE_WALKED - walked);
    *found = status == STATUS_OK;
    return status == STATUS_NO ? STATUS_OK : status;
}

/* Finds the candidate's times; they are beyond any where they cannot be found, or where the
   candidate is above the capacity, and then *run is empty. The caller clears *run. */
static enum status run_candidate(struct trials *trials, struct candidate *candidate,
                                 struct schedule_run *run)
{
    const struct schedule_space *space = trials->space;
    uint64_t load_bytes;
    *run = (struct schedule_run){0};
    candidate->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    schedule_goal_take(trials->goal, (uint64_t)MEASURE_WALKS * space->regions->graph->operators);
    TRY(schedule_load(space, candidate->start, &load_bytes, trials->error));
    if (load_bytes > trials->capacity_bytes)
        return STATUS_OK;
    enum status status =
        schedule_run_fill(space, candidate->start, run, &candidate->times, trials->error);
    if (status != STATUS_LIMIT)
        return status;
    candidate->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    return STATUS_OK;
}

static enum status measure(struct trials *trials, struct candidate *candidate)
{
    struct schedule_run run;
    enum status status = run_candidate(trials, candidate, &run);
    schedule_run_clear(&run);
    return status;
}

/* It becomes the best if it is better. */
static void keep(struct trials *trials, const struct candidate *candidate)
{
    if (is_better(&candidate->times, &trials->best.times))
        copy(trials, &trials->best, candidate);
}

/* Measures the schedule in `tried`, as it is and with the other starts of a region searched again,
   and keeps the best. */
static enum status try_schedule(struct trials *trials, uint32_t r)
{
    struct schedule_run run;
    bool found = false;
    enum status status = run_candidate(trials, &trials->tried, &run);
    if (!status && run.region_times) {
        copy(trials, &trials->tuned, &trials->tried);
        status = tune(trials, run.region_times, r, &trials->tuned, &found);
    }
    schedule_run_clear(&run);
    TRY(status);
    if (found)
        TRY(measure(trials, &trials->tuned));
    keep(trials, &trials->tried);
    if (found)
        keep(trials, &trials->tuned);
    return STATUS_OK;
}

static enum status create_candidate(const struct trials *trials, struct candidate *candidate)
{
    return memory_create(&candidate->start, trials->space->places, sizeof *candidate->start,
                         trials->error);
}

/* start[regions->weighted_count] becomes the best schedule, without early operators. The capacity
   is the goal's, or what that schedule needs. */
static enum status begin_trials(struct trials *trials, const uint32_t *start)
{
    const struct schedule_space *space = trials->space;
    uint64_t load_bytes;
    TRY(create_candidate(trials, &trials->best));
    TRY(create_candidate(trials, &trials->tried));
    TRY(create_candidate(trials, &trials->tuned));
    TRY(memory_create(&trials->under_way, space->regions->weighted_count, sizeof *trials->under_way,
                      trials->error));
    TRY(transfer_clock_create(space->costs, space->regions->graph->operators, &trials->clock,
                              trials->error));
    memcpy(trials->best.start, start, space->regions->weighted_count * sizeof *start);
    TRY(schedule_load(space, start, &load_bytes, trials->error));
    trials->capacity_bytes = trials->goal->capacity_bytes;
    if (trials->capacity_bytes < load_bytes)
        trials->capacity_bytes = load_bytes;
    return measure(trials, &trials->best);
}

static void clear_trials(struct trials *trials)
{
    memory_free(trials->best.start);
    memory_free(trials->tried.start);
    memory_free(trials->tuned.start);
    memory_free(trials->under_way);
    transfer_clock_clear(&trials->clock);
}

/* The operators before which the transfer of an early operator may start, both included. */
struct choice {
    uint32_t least, most;
};

/* Before a border for the n-th weighted operator of region r: after the starts of the region on the
   other side and those of the operators before it. Where a region follows itself, the operator must
   have computed, so that its buffer is free. */
static struct choice find_choice(const struct trials *trials, const struct candidate *candidate,
                                 uint32_t r, uint32_t n, uint32_t border)
{
    const struct transfer_regions *regions = trials->space->regions;
    uint32_t from = trials->space->borders->border[border].from;
    const struct transfer_region *before = &regions->region[from];
    uint32_t last = before->weighted.first + before->weighted.count - 1;
    struct choice choice = {before->begin,
                            before->end > before->begin ? before->end - 1 : before->begin};
    if (before->weighted.count && candidate->start[last] != SCHEDULE_EARLY)
        choice.least = candidate->start[last];
    if (from == r && choice.least <= transfer_regions_weighted(regions, r, n))
        choice.least = transfer_regions_weighted(regions, r, n) + 1;
    if (n && *get_place(trials, candidate, r, n - 1, border) > choice.least)
        choice.least = *get_place(trials, candidate, r, n - 1, border);
    return choice;
}

/* Moves the place before one border to where it saves most: by ever longer steps back, then by ever
   shorter ones forward. */
static enum status move_place(struct trials *trials, uint32_t r, uint32_t n, uint32_t border)
{
    struct choice choice = find_choice(trials, &trials->best, r, n, border);
    uint32_t from = *get_place(trials, &trials->best, r, n, border), step = 1;
    for (uint32_t back = 1; from > choice.least && !schedule_goal_is_over(trials->goal);
         back += step) {
        uint32_t place = from - choice.least > back ? from - back : choice.least;
        copy(trials, &trials->tried, &trials->best);
        *get_place(trials, &trials->tried, r, n, border) = place;
        TRY(try_schedule(trials, r));
        if (place == choice.least)
            break;
        step *= 2;
    }
    for (; step && !schedule_goal_is_over(trials->goal); step /= 2) {
        uint32_t best = *get_place(trials, &trials->best, r, n, border);
        if (best + step >= from || best == from)
            continue;
        copy(trials, &trials->tried, &trials->best);
        *get_place(trials, &trials->tried, r, n, border) = best + step;
        TRY(try_schedule(trials, r));
    }
    return STATUS_OK;
}

/* Makes the n-th weighted operator of a region early in `tried`, starting `back` operators before
   the end of each region that may run before it, or as many as can be. *least says that it cannot
   start any earlier. False where it cannot be early. */
static bool begin_early(struct trials *trials, uint32_t r, uint32_t n, uint32_t back, bool *least)
{
    const uint32_t *into = trials->space->borders->into;
    *least = true;
    for (uint32_t b = into[r]; b < into[r + 1]; b++) {
        struct choice choice = find_choice(trials, &trials->tried, r, n, b);
        if (choice.least > choice.most)
            return false;
        bool whole = choice.most - choice.least > back;
        *get_place(trials, &trials->tried, r, n, b) = whole ? choice.most - back : choice.least;
        *least = *least && !whole;
    }
    trials->tried.start[trials->space->regions->region[r].weighted.first + n] = SCHEDULE_EARLY;
    return true;
}

static enum status try_early(struct trials *trials, uint32_t r, uint32_t n)
{
    bool least = false;
    for (uint32_t back = 0; !least && !schedule_goal_is_over(trials->goal); back = 2 * back + 1) {
        copy(trials, &trials->tried, &trials->best);
        if (!begin_early(trials, r, n, back, &least))
            return STATUS_OK;
        TRY(try_schedule(trials, r));
    }
    return STATUS_OK;
}

/* Tries to make the n-th weighted operator of a region early; *saved says whether it is now. */
static enum status add_early(struct trials *trials, uint32_t r, uint32_t n, bool *saved)
{
    const uint32_t *into = trials->space->borders->into;
    uint32_t w = trials->space->regions->region[r].weighted.first + n;
    if (trials->best.start[w] != SCHEDULE_EARLY)
        TRY(try_early(trials, r, n));
    *saved = trials->best.start[w] == SCHEDULE_EARLY;
    for (uint32_t b = into[r]; *saved && b < into[r + 1]; b++)
        TRY(move_place(trials, r, n, b));
    return STATUS_OK;
}

/* Whether no other region is likelier to follow the one before it. */
static bool is_likely(const struct trials *trials, uint32_t r)
{
    const struct transfer_regions *regions = trials->space->regions;
    const struct transfer_borders *borders = trials->space->borders;
    const struct transfer_border *border = &borders->border[borders->into[r]];
    uint32_t g = regions->region[r].graph_region;
    return border->kind != TRANSFER_BRANCH ||
           transfer_paths_likeliest_branch(regions, regions->region[border->from].owner) == g;
}

/* Makes the first weights of every region that is likely to follow early, all at once: where there
   is no time to try one after another this is most of what there is to save. */
static enum status try_likely(struct trials *trials)
{
    bool least;
    copy(trials, &trials->tried, &trials->best);
    for (uint32_t r = 0; r < trials->space->regions->count; r++)
        if (trials->space->early_place[r] != GRAPH_NONE && is_likely(trials, r))
            begin_early(trials, r, 0, 0, &least);
    TRY(measure(trials, &trials->tried));
    keep(trials, &trials->tried);
    return STATUS_OK;
}

static enum status add_all_early(struct trials *trials)
{
    const struct transfer_regions *regions = trials->space->regions;
    for (uint32_t r = 0; r < regions->count; r++) {
        bool saved = trials->space->early_place[r] != GRAPH_NONE;
        for (uint32_t n = 0;
             saved && n < regions->region[r].weighted.count && !schedule_goal_is_over(trials->goal);
             n++)
            TRY(add_early(trials, r, n, &saved));
    }
    return STATUS_OK;
}

static bool has_early(const struct schedule_space *space, const uint32_t *start)
{
    bool early = false;
    for (uint32_t b = 0; b < space->regions->weighted_count; b++)
        early |= start[b] == SCHEDULE_EARLY;
    return early;
}

enum status schedule_start_early(const struct schedule_space *space,
                                 const struct schedule_goal *goal, uint32_t *start, bool *early,
                                 struct error *error)
{
    struct trials trials = {.space = space, .goal = goal, .error = error};
    enum status status;
    *early = false;
    if (space->places == space->regions->weighted_count)
        return STATUS_OK;
    TRY_OR_DONE(status, begin_trials(&trials, start));
    TRY_OR_DONE(status, try_likely(&trials));
    TRY_OR_DONE(status, add_all_early(&trials));
    memcpy(start, trials.best.start, space->places * sizeof *start);
    *early = has_early(space, start);
done:
    clear_trials(&trials);
    return status;
}
