#include "dma/planned/keep.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"
#include "dma/program/paths.h"

/* How much work may go into each search of a region, in operators walked over. */
enum { TUNE_WALKED = 20000 };

/* The weights of a weighted operator, given by its number, and a loop around that operator while
   which they may be kept. */
struct candidate {
    uint32_t weighted, loop;
    double saved; /* ns saved for each byte, if no computing hides the transfers */
};

/* A schedule of the whole graph with the times that it takes. */
struct trial {
    uint32_t *start; /* [places] */
    struct transfer_times times;
};

struct keeper {
    const struct schedule_space *space;
    const struct schedule_goal *goal;
    uint64_t capacity_bytes;
    struct candidate *candidate; /* [candidates] */
    uint32_t candidates;
    struct trial best, tried;
    uint64_t *kept_bytes; /* [operators] bytes of weights that `tried` keeps while it runs */
    struct schedule_own own;
    struct schedule_walk walk;
    struct error *error;
};

/* How often an operator runs each time a loop around it is reached: the product of the turns of all
   loops from the operator up to that one, 1 for each whose turns are unknown. */
static double count_turns(const struct schedule_space *space, uint32_t op, uint32_t loop)
{
    const struct graph *graph = space->regions->graph;
    double turns = 1;
    uint32_t around = op;
    do {
        around = schedule_loop_around(space, around);
        turns *= (double)transfer_paths_turns(&graph->op[around]);
    } while (around != loop);
    return turns;
}

bool schedule_may_keep(const struct schedule_space *space)
{
    bool may = false;
    for (uint32_t w = 0; w < space->regions->weighted_count; w++) {
        uint32_t o = space->regions->weighted_op[w];
        for (uint32_t loop = schedule_loop_around(space, o); loop != GRAPH_NONE;
             loop = schedule_loop_around(space, loop))
            may |= count_turns(space, o, loop) > 1;
    }
    return may;
}

static void list_candidates(struct keeper *keeper)
{
    const struct transfer_regions *regions = keeper->space->regions;
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        uint32_t o = regions->weighted_op[w];
        for (uint32_t loop = schedule_loop_around(keeper->space, o); loop != GRAPH_NONE;
             loop = schedule_loop_around(keeper->space, loop)) {
            double again = count_turns(keeper->space, o, loop) - 1;
            double saved = again * (double)keeper->space->costs->transfer_ns[o];
            if (saved > 0)
                keeper->candidate[keeper->candidates++] =
                    (struct candidate){w, loop, saved / (double)regions->weight_bytes[o]};
        }
    }
}

static uint32_t count_candidates(const struct schedule_space *space)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < space->regions->weighted_count; w++)
        for (uint32_t loop = schedule_loop_around(space, space->regions->weighted_op[w]);
             loop != GRAPH_NONE; loop = schedule_loop_around(space, loop))
            count++;
    return count;
}

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->saved != b->saved)
        return a->saved > b->saved ? -1 : 1;
    if (a->weighted != b->weighted)
        return a->weighted < b->weighted ? -1 : 1;
    return (a->loop > b->loop) - (a->loop < b->loop);
}

static bool is_better(const struct transfer_times *times, const struct transfer_times *than)
{
    return times->expected_ns < than->expected_ns ||
           (times->expected_ns == than->expected_ns && times->worst_ns < than->worst_ns);
}

static void copy(const struct keeper *keeper, struct trial *to, const struct trial *from)
{
    memcpy(to->start, from->start, keeper->space->places * sizeof *to->start);
    to->times = from->times;
}

/* Finds the times of a schedule; both are UINT64_MAX where its load is above the capacity or it has
   too many states to be timed. */
static enum status measure(struct keeper *keeper, struct trial *trial)
{
    struct schedule_run run;
    uint64_t load_bytes;
    trial->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    schedule_goal_take(keeper->goal, keeper->space->regions->graph->operators);
    TRY(schedule_load(keeper->space, trial->start, &load_bytes, keeper->error));
    if (load_bytes > keeper->capacity_bytes)
        return STATUS_OK;
    enum status status =
        schedule_run_fill(keeper->space, trial->start, &run, &trial->times, keeper->error);
    schedule_run_clear(&run);
    if (status != STATUS_LIMIT)
        return status;
    trial->times = (struct transfer_times){UINT64_MAX, UINT64_MAX};
    return STATUS_OK;
}

/* Searches the starts of one region of `tried` again; *fits says whether any are within the
   capacity. */
static enum status search_region(struct keeper *keeper, uint32_t r, bool *fits)
{
    struct schedule_region region = schedule_region_at(keeper->space, r, &keeper->walk);
    uint64_t walked = TUNE_WALKED;
    const struct schedule_goal goal = {keeper->capacity_bytes, keeper->goal->deadline_ns, &walked,
                                       keeper->goal->in_order};
    struct schedule_cost cost;
    region.weighted_op = keeper->own.op;
    region.count = schedule_own_list(keeper->space, keeper->tried.start, r, &keeper->own);
    region.kept_bytes = keeper->kept_bytes;
    enum status status = schedule_search(&region, &goal, keeper->own.start, &cost, keeper->error);
    schedule_goal_take(keeper->goal, TUNE_WALKED - walked);
    *fits = status != STATUS_NO;
    if (!status)
        schedule_own_take(keeper->space, &keeper->own, r, keeper->tried.start);
    return status == STATUS_NO ? STATUS_OK : status;
}

/* Searches the region before a loop and all regions inside the loop again for the schedule in
   `tried`, which becomes the best one if it is faster. */
static enum status try_schedule(struct keeper *keeper, uint32_t loop)
{
    uint32_t before = keeper->space->home[loop];
    bool fits = true;
    schedule_kept_bytes(keeper->space, keeper->tried.start, keeper->kept_bytes);
    for (uint32_t r = before; fits && r < keeper->space->regions->region[before].next; r++)
        TRY(search_region(keeper, r, &fits));
    if (!fits)
        return STATUS_OK;
    TRY(measure(keeper, &keeper->tried));
    if (is_better(&keeper->tried.times, &keeper->best.times))
        copy(keeper, &keeper->best, &keeper->tried);
    return STATUS_OK;
}

/* Keeps a candidate's weights with a transfer that starts as late as possible, right before the
   loop, then with one that starts as early as possible. */
static enum status try_candidate(struct keeper *keeper, const struct candidate *candidate)
{
    const struct schedule_space *space = keeper->space;
    uint32_t begin = space->regions->region[space->home[candidate->loop]].begin;
    if (keeper->best.start[candidate->weighted] <= candidate->loop)
        /* These weights are kept already, for this loop or a longer one. */
        return STATUS_OK;
    copy(keeper, &keeper->tried, &keeper->best);
    keeper->tried.start[candidate->weighted] = candidate->loop;
    TRY(try_schedule(keeper, candidate->loop));
    copy(keeper, &keeper->tried, &keeper->best);
    keeper->tried.start[candidate->weighted] = begin;
    return begin == candidate->loop ? STATUS_OK : try_schedule(keeper, candidate->loop);
}

static enum status try_candidates(struct keeper *keeper)
{
    for (uint32_t i = 0; i < keeper->candidates && !schedule_goal_is_over(keeper->goal); i++)
        TRY(try_candidate(keeper, &keeper->candidate[i]));
    return STATUS_OK;
}

/* For each loop, tries to keep all weights that it needs at once: together they may save time where
   no single one does. */
static enum status try_loops(struct keeper *keeper)
{
    for (uint32_t i = 0; i < keeper->candidates && !schedule_goal_is_over(keeper->goal); i++) {
        uint32_t loop = keeper->candidate[i].loop;
        copy(keeper, &keeper->tried, &keeper->best);
        for (uint32_t k = 0; k < keeper->candidates; k++)
            if (keeper->candidate[k].loop == loop &&
                keeper->tried.start[keeper->candidate[k].weighted] > loop)
                keeper->tried.start[keeper->candidate[k].weighted] = loop;
        bool is_first = true;
        for (uint32_t k = 0; k < i; k++)
            is_first = is_first && keeper->candidate[k].loop != loop;
        if (is_first)
            TRY(try_schedule(keeper, loop));
    }
    return STATUS_OK;
}

static enum status create_keeper(struct keeper *keeper)
{
    const struct schedule_space *space = keeper->space;
    uint32_t count = space->regions->weighted_count, places = space->places;
    struct error *error = keeper->error;
    TRY(memory_create(&keeper->candidate, count_candidates(space), sizeof *keeper->candidate,
                      error));
    TRY(memory_create(&keeper->best.start, places, sizeof *keeper->best.start, error));
    TRY(memory_create(&keeper->tried.start, places, sizeof *keeper->tried.start, error));
    TRY(memory_create(&keeper->own.op, count, sizeof *keeper->own.op, error));
    TRY(memory_create(&keeper->own.start, count, sizeof *keeper->own.start, error));
    TRY(memory_create(&keeper->kept_bytes, space->regions->graph->operators,
                      sizeof *keeper->kept_bytes, error));
    return schedule_walk_create(space, &keeper->walk, error);
}

static void clear_keeper(struct keeper *keeper)
{
    memory_free(keeper->candidate);
    memory_free(keeper->best.start);
    memory_free(keeper->tried.start);
    memory_free(keeper->own.op);
    memory_free(keeper->own.start);
    memory_free(keeper->kept_bytes);
    schedule_walk_clear(&keeper->walk);
}

static enum status begin_keeper(struct keeper *keeper, const uint32_t *start)
{
    uint64_t load_bytes;
    list_candidates(keeper);
    if (keeper->candidates)
        qsort(keeper->candidate, keeper->candidates, sizeof *keeper->candidate, compare_candidates);
    memcpy(keeper->best.start, start, keeper->space->places * sizeof *start);
    TRY(schedule_load(keeper->space, start, &load_bytes, keeper->error));
    keeper->capacity_bytes = keeper->goal->capacity_bytes;
    if (keeper->capacity_bytes < load_bytes)
        keeper->capacity_bytes = load_bytes;
    return measure(keeper, &keeper->best);
}

enum status schedule_keep(const struct schedule_space *space, const struct schedule_goal *goal,
                          uint32_t *start, bool *kept, struct error *error)
{
    struct keeper keeper = {.space = space, .goal = goal, .error = error};
    enum status status;
    *kept = false;
    if (!schedule_may_keep(space))
        return STATUS_OK;
    TRY_OR_DONE(status, create_keeper(&keeper));
    TRY_OR_DONE(status, begin_keeper(&keeper, start));
    TRY_OR_DONE(status, try_candidates(&keeper));
    TRY_OR_DONE(status, try_loops(&keeper));
    memcpy(start, keeper.best.start, space->places * sizeof *start);
    for (uint32_t w = 0; w < space->regions->weighted_count; w++)
        *kept |= schedule_is_kept(space, start, w);
done:
    clear_keeper(&keeper);
    return status;
}
