#include "solvers/mip/mip.h"

#include <assert.h>

#include "core/clock.h"
#include "planning/problem/bounds.h"
#include "solvers/common/components.h"
#include "solvers/mip/search.h"

struct solve {
    const struct mip_solver *solver;
    const struct planner_task *task;
    const struct plan *start; /* verified and within the capacity, or NULL */
    struct components components;
    struct plan *plan; /* of the whole problem, put together of those of the components */
    uint64_t deadline_ns;
    struct error *error;
};

static enum status check_start(struct solve *solve)
{
    TRY(components_find_start(solve->task, &solve->start, solve->error));
    if (solve->start && solve->start->measures.peak_bytes > solve->task->capacity_bytes)
        solve->start = NULL;
    return STATUS_OK;
}

static enum status copy_start(const struct solve *solve, uint32_t component,
                              const struct problem *problem, struct plan **start)
{
    *start = NULL;
    if (!solve->start)
        return STATUS_OK;
    TRY(plan_create(problem, start, solve->error));
    components_take(&solve->components, component, solve->start, (*start)->offset);
    (*start)->status = PLAN_FEASIBLE;
    return plan_set_peak(*start, problem, solve->error);
}

static void keep_component(struct solve *solve, uint32_t component, const struct plan *found)
{
    assert(found->buffers ==
           solve->components.first[component + 1] - solve->components.first[component]);
    struct plan *plan = solve->plan;
    plan->measures.nodes += found->measures.nodes;
    if (found->measures.lower_bound_bytes > plan->measures.lower_bound_bytes)
        plan->measures.lower_bound_bytes = found->measures.lower_bound_bytes;
    if (plan_found(found))
        components_put(&solve->components, component, found->offset, 1, plan);
    else
        plan->status = found->status;
}

static enum status search_component(struct solve *solve, uint32_t component,
                                    const struct problem *problem, const struct plan *start)
{
    assert(!start || start->buffers == problem->buffers);
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = solve->task->capacity_bytes,
                                      .time_limit_ns = clock_left_ns(solve->deadline_ns),
                                      .seed = solve->task->seed,
                                      .start = start};
    struct plan *found;
    TRY(plan_create(problem, &found, solve->error));
    enum status status = mip_search(solve->solver, &task, found, solve->error);
    if (!status)
        keep_component(solve, component, found);
    plan_free(found);
    return status;
}

static enum status solve_component(void *context, uint32_t component, const struct problem *problem,
                                   struct error *error)
{
    assert(problem->buffers > 0);
    struct solve *solve = context;
    struct plan *start;
    enum status status = copy_start(solve, component, problem, &start);
    (void)error;
    if (!status)
        status = search_component(solve, component, problem, start);
    plan_free(start);
    return status;
}

/* The start keeps the component below what is proved anyway. */
static bool is_low_enough(const struct solve *solve, uint32_t component)
{
    return solve->start && components_peak_bytes(&solve->components, component, solve->start) <=
                               solve->plan->measures.lower_bound_bytes;
}

static enum status solve_components(struct solve *solve)
{
    struct plan *plan = solve->plan;
    plan->status = PLAN_FEASIBLE;
    if (solve->start)
        plan_take(plan, solve->start);
    for (uint32_t i = 0; i < solve->components.count; i++) {
        if (!is_low_enough(solve, i))
            TRY(components_solve(&solve->components, i, solve_component, solve, solve->error));
        if (!plan_found(plan))
            return STATUS_OK;
    }
    assert(plan_found(plan));
    return components_finish(&solve->components, plan, solve->error);
}

static enum status reduce_and_solve(struct solve *solve)
{
    TRY(components_create(solve->task->problem, solve->plan->measures.lower_bound_bytes,
                          &solve->components, solve->error));
    enum status status = solve_components(solve);
    components_clear(&solve->components);
    return status;
}

static enum status plan_by_solver(struct solve *solve)
{
    const struct planner_task *task = solve->task;
    struct plan *plan = solve->plan;
    assert(plan->buffers == task->problem->buffers);
    TRY(bound_peak(task->problem, &plan->measures.lower_bound_bytes, solve->error));
    if (plan->measures.lower_bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    TRY(check_start(solve));
    if (!solve->start || solve->start->measures.peak_bytes > plan->measures.lower_bound_bytes)
        TRY(reduce_and_solve(solve));
    if (solve->start &&
        (!plan_found(plan) || solve->start->measures.peak_bytes <= plan->measures.peak_bytes))
        plan_take(plan, solve->start);
    if (plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error)
{
    assert(planner->rule);
    struct solve solve = {.solver = planner->rule,
                          .task = task,
                          .plan = plan,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                          .error = error};
    if (solve.solver->solve)
        return plan_by_solver(&solve);
    plan->status = PLAN_UNSUPPORTED;
    return STATUS_OK;
}
