#include "heuristics/order_fit.h"

#include <stdlib.h>

#include "core/memory.h"
#include "planning/fit.h"
#include "heuristics/order.h"

struct placer {
    const struct problem *problem;
    const struct conflicts *conflicts;
    const struct fit *fit;
    struct plan *plan;
    struct interval *taken; /* [most conflicts of one buffer] */
};

static int compare_intervals(const void *left, const void *right)
{
    const struct interval *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

static uint32_t collect_taken(const struct placer *placer, uint32_t buffer)
{
    const struct conflicts *conflicts = placer->conflicts;
    uint32_t count = 0;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        uint64_t begin = placer->plan->offset[other];
        if (begin != PROBLEM_FREE)
            placer->taken[count++] = (struct interval){begin, begin + placer->problem->size[other]};
    }
    qsort(placer->taken, count, sizeof *placer->taken, compare_intervals);
    return count;
}

static enum status place_buffer(struct placer *placer, uint32_t buffer, struct error *error)
{
    struct fit_request request = {.taken = placer->taken,
                                  .count = collect_taken(placer, buffer),
                                  .size = placer->problem->size[buffer],
                                  .alignment = placer->problem->alignment[buffer]};
    if (!placer->fit->find(&request, &placer->plan->offset[buffer]))
        return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                         names_get(&placer->problem->names, buffer));
    return STATUS_OK;
}

static void place_fixed(struct placer *placer)
{
    for (uint32_t b = 0; b < placer->problem->buffers; b++)
        placer->plan->offset[b] = placer->problem->fixed_offset[b];
}

static enum status place_in_order(struct placer *placer, const uint32_t *sorted,
                                  struct error *error)
{
    place_fixed(placer);
    for (uint32_t i = 0; i < placer->problem->buffers; i++)
        if (placer->plan->offset[sorted[i]] == PROBLEM_FREE)
            TRY(place_buffer(placer, sorted[i], error));
    placer->plan->status = PLAN_FEASIBLE;
    return plan_set_peak(placer->plan, placer->problem, error);
}

static uint64_t find_most_conflicts(const struct problem *problem,
                                    const struct conflicts *conflicts)
{
    uint64_t most = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (conflicts->first[b + 1] - conflicts->first[b] > most)
            most = conflicts->first[b + 1] - conflicts->first[b];
    return most;
}

enum status order_fit_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct order_fit *rule = planner->rule;
    struct placer placer = {.problem = task->problem, .fit = fit_find(rule->fit), .plan = plan};
    struct conflicts *conflicts = NULL;
    uint32_t *sorted = NULL;
    enum status status;
    TRY_OR_DONE(status, conflicts_create(task->problem, &conflicts, error));
    placer.conflicts = conflicts;
    TRY_OR_DONE(status, memory_create(&placer.taken, find_most_conflicts(task->problem, conflicts),
                                      sizeof *placer.taken, error));
    TRY_OR_DONE(status, memory_create(&sorted, task->problem->buffers, sizeof *sorted, error));
    TRY_OR_DONE(status,
                order_sort(order_find(rule->order), task->problem, conflicts, sorted, error));
    TRY_OR_DONE(status, place_in_order(&placer, sorted, error));
done:
    memory_free(sorted);
    memory_free(placer.taken);
    conflicts_free(conflicts);
    return status;
}
