#include "dma/planned/keep.h"

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "dma/planned/trials.h"
#include "dma/program/paths.h"

/* The weights of a weighted operator, given by its number, and a loop around that operator during
   which they may be kept. */
struct candidate {
    uint32_t weighted, loop;
    double saved; /* ns saved for each byte, if no computing hides the transfers */
};

struct keeper {
    struct trials trials;
    struct candidate *candidate; /* [candidates] */
    uint32_t candidates;
};

/* How often an operator runs each time a loop around it is reached: the product of the turns of all
   loops from the operator up to that loop, where unknown turns count as 1. */
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

COMPARE_BY(compare_candidates, struct candidate, compare_reals(b->saved, a->saved),
           compare_numbers(a->weighted, b->weighted), compare_numbers(a->loop, b->loop))

/* Searches the region before a loop and all regions inside the loop again for the schedule in
   `tried`, which becomes the best one if it is faster. */
static enum status try_schedule(struct trials *trials, uint32_t loop)
{
    const struct schedule_space *space = trials->space;
    uint32_t before = space->home[loop], *start = trials->tried.start;
    bool fits = true;
    schedule_kept_bytes(space, start, trials->kept_bytes);
    for (uint32_t r = before; fits && r < space->regions->region[before].next; r++) {
        struct schedule_region region = schedule_region_at(space, r, &trials->walk);
        region.count = schedule_own_list(space, start, r, &trials->own);
        TRY(trials_tune(trials, &region, r, start, &fits));
    }
    if (!fits)
        return STATUS_OK;
    TRY(trials_measure(trials, &trials->tried));
    trials_keep(trials, &trials->tried);
    return STATUS_OK;
}

/* Keeps a candidate's weights with a transfer that starts as late as possible, right before the
   loop, then with one that starts as early as possible. */
static enum status try_candidate(struct trials *trials, const struct candidate *candidate)
{
    const struct schedule_space *space = trials->space;
    uint32_t begin = space->regions->region[space->home[candidate->loop]].begin;
    if (trials->best.start[candidate->weighted] <= candidate->loop)
        /* These weights are kept already, for this loop or a longer one. */
        return STATUS_OK;
    trials_copy(trials, &trials->tried, &trials->best);
    trials->tried.start[candidate->weighted] = candidate->loop;
    TRY(try_schedule(trials, candidate->loop));
    trials_copy(trials, &trials->tried, &trials->best);
    trials->tried.start[candidate->weighted] = begin;
    return begin == candidate->loop ? STATUS_OK : try_schedule(trials, candidate->loop);
}

/* Tries the candidates one after another, then for each loop all its candidates at once, which may
   save time where no single one does. */
static enum status try_all(struct keeper *keeper)
{
    struct trials *trials = &keeper->trials;
    const struct candidate *candidate = keeper->candidate;
    for (uint32_t i = 0; i < keeper->candidates && !schedule_goal_is_over(trials->goal); i++)
        TRY(try_candidate(trials, &candidate[i]));
    for (uint32_t i = 0; i < keeper->candidates && !schedule_goal_is_over(trials->goal); i++) {
        uint32_t loop = candidate[i].loop;
        bool is_first = true;
        for (uint32_t k = 0; k < i; k++)
            is_first = is_first && candidate[k].loop != loop;
        if (!is_first)
            continue;
        trials_copy(trials, &trials->tried, &trials->best);
        for (uint32_t k = 0; k < keeper->candidates; k++)
            if (candidate[k].loop == loop && trials->tried.start[candidate[k].weighted] > loop)
                trials->tried.start[candidate[k].weighted] = loop;
        TRY(try_schedule(trials, loop));
    }
    return STATUS_OK;
}

static void clear_keeper(struct keeper *keeper)
{
    memory_free(keeper->candidate);
    trials_clear(&keeper->trials);
}

enum status schedule_keep(const struct schedule_space *space, const struct schedule_goal *goal,
                          uint32_t *start, bool *kept, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    SCOPED(clear_keeper)
    struct keeper keeper = {
        .trials = {.space = space, .goal = goal, .measure_walks = 1, .error = error}};
    size_t capacity = 0;
    *kept = false;
    if (!schedule_may_keep(space))
        return STATUS_OK;
    for (uint32_t w = 0; w < regions->weighted_count; w++) {
        uint32_t o = regions->weighted_op[w];
        for (uint32_t loop = schedule_loop_around(space, o); loop != GRAPH_NONE;
             loop = schedule_loop_around(space, loop)) {
            double again = count_turns(space, o, loop) - 1;
            double saved = again * (double)space->costs->transfer_ns[o];
            if (saved <= 0)
                continue;
            TRY(memory_reserve(&keeper.candidate, &capacity, (size_t)keeper.candidates + 1,
                               sizeof *keeper.candidate, error));
            keeper.candidate[keeper.candidates++] =
                (struct candidate){w, loop, saved / (double)regions->weight_bytes[o]};
        }
    }
    if (keeper.candidates)
        qsort(keeper.candidate, keeper.candidates, sizeof *keeper.candidate, compare_candidates);
    TRY(trials_begin(&keeper.trials, start));
    TRY(try_all(&keeper));
    memcpy(start, keeper.trials.best.start, space->places * sizeof *start);
    for (uint32_t w = 0; w < regions->weighted_count; w++)
        *kept |= schedule_is_kept(space, start, w);
    return STATUS_OK;
}
