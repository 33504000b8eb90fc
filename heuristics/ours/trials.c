#include "heuristics/ours/trials.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "planning/problem/bounds.h"

enum status trials_create(const struct planner_task *task, struct plan *plan, struct trials *trials,
                          struct error *error)
{
    const struct problem *problem = task->problem;
    assert(task->scratch); /* planner_plan gives it */
    *trials = (struct trials){.problem = problem,
                              .plan = plan,
                              .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                              .best_bytes = UINT64_MAX};
    for (uint32_t b = 0; b < problem->buffers; b++)
        trials->movables += problem_fixed_offset(problem, b) == PROBLEM_FREE;
    TRY(bound_peak(problem, &trials->bound_bytes, error));
    TRY(scratch_take(task->scratch, &trials->offset, problem->buffers, sizeof(uint64_t), error));
    return placer_create(problem, &trials->placer, error);
}

enum status trials_try(struct trials *trials, uint32_t *order, bool *better, struct error *error)
{
    const struct occupancy_rule rule = {
        .fit = fit_find("first"),
        .sorted = order,
        .most_bytes = trials->best_bytes - 1,
        .deadline_ns = trials->best_bytes == UINT64_MAX ? 0 : trials->deadline_ns};
    uint64_t peak;
    trials->plan->measures.nodes++;
    /* The fixed buffers stand behind the others; placing in this order skips them. */
    for (uint32_t b = 0, at = trials->movables; b < trials->problem->buffers; b++)
        if (problem_fixed_offset(trials->problem, b) != PROBLEM_FREE)
            order[at++] = b;
    TRY(placer_place_all(trials->placer, &rule, trials->offset, &peak, error));
    *better = peak != UINT64_MAX;
    if (!*better)
        return STATUS_OK;
    trials->best_bytes = peak;
    if (trials->problem->buffers)
        memcpy(trials->plan->offset, trials->offset,
               trials->problem->buffers * sizeof *trials->offset);
    return STATUS_OK;
}

bool trials_are_over(const struct trials *trials)
{
    return trials->best_bytes <= trials->bound_bytes ||
           (trials->best_bytes != UINT64_MAX && !clock_left_ns(trials->deadline_ns));
}
