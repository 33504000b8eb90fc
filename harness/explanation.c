#include "harness/explanation.h"

#include "solvers/solvers.h"

static enum status find_least(const struct planner *exact, const struct planner_task *task,
                              struct explanation *explanation, struct error *error)
{
    struct planner_task minimise = *task;
    struct plan *plan;
    minimise.capacity_bytes = UINT64_MAX;
    if (task->time_limit_ns != UINT64_MAX)
        minimise.time_limit_ns = task->time_limit_ns / 2;
    TRY(plan_create(task->problem, &plan, error));
    enum status status = exact->plan(exact, &minimise, plan, error);
    if (plan_found(plan))
        explanation->least_bytes = plan->peak_bytes;
    if (plan->status == PLAN_OPTIMAL)
        explanation->bound_bytes = plan->peak_bytes;
    if (plan->lower_bound_bytes > explanation->bound_bytes)
        explanation->bound_bytes = plan->lower_bound_bytes;
    plan_free(plan);
    return status;
}

static enum status find_subset(const struct planner *exact, const struct planner_task *task,
                               struct explanation *explanation, struct error *error)
{
    struct planner_task decide = *task;
    if (task->time_limit_ns != UINT64_MAX)
        decide.time_limit_ns = task->time_limit_ns / 2;
    return infeasible_subset_find(exact, &decide, &explanation->subset, error);
}

enum status explanation_find(const struct planner_task *task, struct explanation *explanation,
                             struct error *error)
{
    const struct planner *exact = solvers_at(0);
    *explanation = (struct explanation){0};
    TRY(problem_load(task->problem, &explanation->load_bytes, &explanation->load_step, error));
    explanation->bound_bytes = explanation->load_bytes;
    TRY(find_least(exact, task, explanation, error));
    if (explanation->load_bytes > task->capacity_bytes ||
        (explanation->least_bytes && explanation->least_bytes <= task->capacity_bytes))
        return STATUS_OK;
    return find_subset(exact, task, explanation, error);
}

void explanation_free(struct explanation *explanation)
{
    infeasible_subset_free(&explanation->subset);
}

uint64_t explanation_live_bytes(const struct problem *problem, uint32_t buffer, uint32_t step)
{
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (problem->lower[s] <= step && step < problem->upper[s])
            return problem->window_upper[s] - problem->window_lower[s];
    return 0;
}
