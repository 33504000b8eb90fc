#include "solvers/mip.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/bound.h"
#include "planning/verify.h"
#include "solvers/mip_search.h"
#include "solvers/reduction.h"

struct solve {
    const struct mip_solver *solver;
    const struct planner_task *task;
    const struct plan *start; /* verified and within the capacity, or NULL */
    struct reduction *reduction;
    struct plan *plan; /* of the whole problem, put together */
    uint64_t deadline_ns;
    struct error *error;
};

static enum status check_start(struct solve *solve)
{
    const struct plan *start = solve->task->start;
    struct verdict verdict;
    if (!start || !plan_found(start) || start->peak_bytes > solve->task->capacity_bytes)
        return STATUS_OK;
    TRY(verify_plan(solve->task->problem, start, &verdict, solve->error));
    if (verdict.fault == VERIFY_VALID)
        solve->start = start;
    return STATUS_OK;
}

static void take_start(struct solve *solve)
{
    struct plan *plan = solve->plan;
    memcpy(plan->offset, solve->start->offset, plan->buffers * sizeof *plan->offset);
    plan->peak_bytes = solve->start->peak_bytes;
    plan->status = PLAN_FEASIBLE;
}

static enum status copy_start(const struct solve *solve, uint32_t component,
                              const struct problem *problem, struct plan **start)
{
    const uint32_t *kept = solve->reduction->kept + solve->reduction->first[component];
    *start = NULL;
    if (!solve->start)
        return STATUS_OK;
    TRY(plan_create(problem, start, solve->error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        (*start)->offset[b] = solve->start->offset[kept[b]];
    (*start)->status = PLAN_FEASIBLE;
    return plan_set_peak(*start, problem, solve->error);
}

static void keep_component(struct solve *solve, uint32_t component, const struct plan *found)
{
    const uint32_t *kept = solve->reduction->kept + solve->reduction->first[component];
    struct plan *plan = solve->plan;
    plan->nodes += found->nodes;
    if (found->lower_bound_bytes > plan->lower_bound_bytes)
        plan->lower_bound_bytes = found->lower_bound_bytes;
    if (plan_found(found))
        for (uint32_t b = 0; b < found->buffers; b++)
            plan->offset[kept[b]] = found->offset[b];
    else
        plan->status = found->status;
}

/* A component that the start keeps below what is proved anyway need not be searched. */
static enum status search_component(struct solve *solve, uint32_t component,
                                    const struct problem *problem, const struct plan *start)
{
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = solve->task->capacity_bytes,
                                      .time_limit_ns = clock_left_ns(solve->deadline_ns),
                                      .seed = solve->task->seed,
                                      .start = start};
    struct plan *found;
    if (start && start->peak_bytes <= solve->plan->lower_bound_bytes) {
        keep_component(solve, component, start);
        return STATUS_OK;
    }
    TRY(plan_create(problem, &found, solve->error));
    enum status status = mip_search(solve->solver, &task, found, solve->error);
    if (!status)
        keep_component(solve, component, found);
    plan_free(found);
    return status;
}

static enum status solve_component(struct solve *solve, uint32_t component)
{
    struct problem *problem;
    struct plan *start = NULL;
    TRY(reduction_extract(solve->reduction, solve->task->problem, component, &problem,
                          solve->error));
    enum status status = copy_start(solve, component, problem, &start);
    if (!status)
        status = search_component(solve, component, problem, start);
    plan_free(start);
    problem_free(problem);
    return status;
}

static enum status solve_components(struct solve *solve)
{
    struct plan *plan = solve->plan;
    plan->status = PLAN_FEASIBLE;
    for (uint32_t c = 0; c < solve->reduction->components; c++) {
        TRY(solve_component(solve, c));
        if (!plan_found(plan))
            return STATUS_OK;
    }
    TRY(reduction_place_waiting(solve->reduction, solve->task->problem, plan, solve->error));
    return plan_set_peak(plan, solve->task->problem, solve->error);
}

static enum status reduce_and_solve(struct solve *solve)
{
    const struct problem *problem = solve->task->problem;
    TRY(reduction_create(problem, solve->plan->lower_bound_bytes, mip_model_scale(problem),
                         &solve->reduction, solve->error));
    enum status status = solve_components(solve);
    reduction_free(solve->reduction);
    return status;
}

static enum status plan_by_solver(struct solve *solve)
{
    const struct planner_task *task = solve->task;
    struct plan *plan = solve->plan;
    TRY(bound_peak(task->problem, &plan->lower_bound_bytes, solve->error));
    if (plan->lower_bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    TRY(check_start(solve));
    if (!solve->start || solve->start->peak_bytes > plan->lower_bound_bytes)
        TRY(reduce_and_solve(solve));
    if (solve->start && (!plan_found(plan) || solve->start->peak_bytes <= plan->peak_bytes))
        take_start(solve);
    if (plan_found(plan) && plan->peak_bytes == plan->lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error)
{
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
