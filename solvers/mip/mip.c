#include "solvers/mip/mip.h"

#include <assert.h>
#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/plan/planner.h"
#include "planning/problem/bounds.h"
#include "planning/verify/problem/plan.h"
#include "solvers/common/components.h"
#include "solvers/mip/model/plan.h"
#include "solvers/mip/solver.h"

/* The greatest error of a bound that was computed in floating point, in scaled bytes. */
static const double bound_tolerance = 1e-4;

/* Solvers cut nodes off by tolerances relative to the numbers in the model. Beyond this peak, in
   scaled bytes, GLPK has been seen to cut off optima, so what is proved there is not believed. */
static const uint64_t most_believed_units = 100000;

struct search {
    const struct mip_solver *solver;
    const struct planner_task *task;
    struct plan *plan; /* the best so far, where plan_found */
    const struct mip_model *model;
    const double *start; /* [columns] of the plan, or NULL */
    uint64_t deadline_ns;
    struct error *error;
};

/* Keeps what the binaries stand for if it is valid and better than the best so far. */
static enum status keep_solution(struct search *search, const double *values)
{
    const struct problem *problem = search->task->problem;
    SCOPED(plan_release) struct plan *found = NULL;
    struct verdict verdict;
    assert(values && search->model);
    TRY(plan_create(problem, &found, search->error));
    found->status = PLAN_FEASIBLE;
    if (!mip_model_to_plan(search->model, values, found))
        return STATUS_OK;
    TRY(plan_set_peak(found, problem, search->error));
    TRY(verify_plan(problem, found, &verdict, search->error));
    if (verdict.fault == VERIFY_VALID &&
        (!plan_found(search->plan) ||
         found->measures.peak_bytes < search->plan->measures.peak_bytes))
        plan_take(search->plan, found);
    return STATUS_OK;
}

static enum status ask_solver(struct search *search)
{
    const struct mip_model *model = search->model;
    struct plan *plan = search->plan;
    const struct mip_question question = {model, search->start, search->deadline_ns};
    bool is_believed = model->upper <= most_believed_units;
    SCOPED(memory_release) double *values = NULL;
    assert(search->solver->solve && model->columns > 0);
    TRY(memory_create(&values, model->columns, sizeof *values, search->error));
    struct mip_answer answer = {.values = values};
    TRY(search->solver->solve(&question, &answer, search->error));
    plan->measures.nodes = answer.nodes;
    if (answer.found)
        TRY(keep_solution(search, values));
    /* A model whose upper end is the peak of a plan has a solution; a solver that says otherwise is
       wrong, and nothing is concluded. */
    if (!plan_found(plan)) {
        plan->status = answer.infeasible || answer.found ? PLAN_GAVE_UP : PLAN_TIMEOUT;
        if (answer.crashed)
            plan->status = PLAN_CRASH;
        else if (answer.missing)
            plan->status = PLAN_UNSUPPORTED;
        else if (answer.infeasible && is_believed)
            plan->status = PLAN_INFEASIBLE;
    }
    /* A bound above the upper end, where a plan is, would be a mistake of the solver's. */
    double whole = ceil(answer.peak_bound - bound_tolerance);
    if (!is_believed || !(whole > 0) || whole > (double)model->upper)
        return STATUS_OK;
    uint64_t bound_bytes = (uint64_t)whole * model->scale;
    if (bound_bytes > plan->measures.lower_bound_bytes)
        plan->measures.lower_bound_bytes = bound_bytes;
    return STATUS_OK;
}

static enum status search_model(struct search *search)
{
    const struct problem *problem = search->task->problem;
    struct plan *plan = search->plan;
    SCOPED(mip_model_release) struct mip_model *model = NULL;
    SCOPED(memory_release) double *start = NULL;
    uint64_t upper_bytes = problem_ample_bytes(problem);
    if (upper_bytes > search->task->capacity_bytes)
        upper_bytes = search->task->capacity_bytes;
    if (plan_found(plan))
        upper_bytes = plan->measures.peak_bytes;
    TRY(mip_model_create(problem, upper_bytes, &model, search->error));
    if (!model) {
        if (!plan_found(plan))
            plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    search->model = model;
    if (plan_found(plan)) {
        TRY(memory_create(&start, model->columns, sizeof *start, search->error));
        search->start = mip_model_from_plan(model, plan, start) ? start : NULL;
    }
    return ask_solver(search);
}

/* The integer program of solvers/mip/model/model.h for the whole problem, solved by a solver. The
   caller has verified task->start, which fits the capacity; it is checked against every row before
   the solver sees it, since GLPK does not. A solution counts only as the order of buffers it stands
   for: offsets are worked out again in whole numbers and verified. Solvers work in floating point:
   their bounds, and their word that there is no solution, count only while the peak is at most
   100000 scaled bytes. Unsupported, or the start, when the model would have more than
   MIP_MOST_ENTRIES; crash, or the start, when the solver ended its process. */
static enum status mip_search(const struct mip_solver *solver, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    struct search search = {.solver = solver,
                            .task = task,
                            .plan = plan,
                            .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                            .error = error};
    assert(solver->solve && plan->buffers == task->problem->buffers);
    assert(!task->start || plan_found(task->start));
    TRY(bound_peak(task->problem, &plan->measures.lower_bound_bytes, error));
    if (plan->measures.lower_bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    if (task->start)
        plan_take(plan, task->start);
    if (!plan_found(plan) || plan->measures.peak_bytes > plan->measures.lower_bound_bytes)
        TRY(search_model(&search));
    if (plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

struct solve {
    const struct mip_solver *solver;
    const struct planner_task *task;
    const struct plan *start; /* verified and within the capacity, or NULL */
    struct components components;
    struct plan *plan; /* of the whole problem, put together of those of the components */
    uint64_t deadline_ns;
};

static enum status solve_component(void *context, uint32_t component, const struct problem *problem,
                                   struct error *error)
{
    struct solve *solve = context;
    struct plan *plan = solve->plan;
    SCOPED(plan_release) struct plan *start = NULL;
    SCOPED(plan_release) struct plan *found = NULL;
    assert(problem->buffers ==
           solve->components.first[component + 1] - solve->components.first[component]);
    if (solve->start) {
        TRY(plan_create(problem, &start, error));
        components_take(&solve->components, component, solve->start, start->offset);
        start->status = PLAN_FEASIBLE;
        TRY(plan_set_peak(start, problem, error));
    }
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = solve->task->capacity_bytes,
                                      .time_limit_ns = clock_left_ns(solve->deadline_ns),
                                      .seed = solve->task->seed,
                                      .start = start};
    TRY(plan_create(problem, &found, error));
    TRY(mip_search(solve->solver, &task, found, error));
    plan->measures.nodes += found->measures.nodes;
    if (found->measures.lower_bound_bytes > plan->measures.lower_bound_bytes)
        plan->measures.lower_bound_bytes = found->measures.lower_bound_bytes;
    if (plan_found(found))
        components_put(&solve->components, component, found->offset, 1, plan);
    else
        plan->status = found->status;
    return STATUS_OK;
}

static enum status solve_components(struct solve *solve, struct error *error)
{
    struct plan *plan = solve->plan;
    struct components *components = &solve->components;
    TRY(components_create(solve->task->problem, plan->measures.lower_bound_bytes, components,
                          error));
    plan->status = PLAN_FEASIBLE;
    if (solve->start)
        plan_take(plan, solve->start);
    for (uint32_t i = 0; i < components->count && plan_found(plan); i++)
        /* The start may keep the component below what is proved anyway. */
        if (!solve->start ||
            components_peak_bytes(components, i, solve->start) > plan->measures.lower_bound_bytes)
            TRY(components_solve(components, i, solve_component, solve, error));
    return plan_found(plan) ? components_finish(components, plan, error) : STATUS_OK;
}

static void free_solve(struct solve *solve)
{
    components_clear(&solve->components);
}

enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error)
{
    SCOPED(free_solve)
    struct solve solve = {.solver = planner->rule,
                          .task = task,
                          .plan = plan,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns)};
    assert(planner->rule);
    if (!solve.solver->solve) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    TRY(bound_peak(task->problem, &plan->measures.lower_bound_bytes, error));
    uint64_t bound_bytes = plan->measures.lower_bound_bytes;
    if (bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    TRY(components_find_start(task, &solve.start, error));
    if (solve.start && solve.start->measures.peak_bytes > task->capacity_bytes)
        solve.start = NULL;
    if (!solve.start || solve.start->measures.peak_bytes > bound_bytes)
        TRY(solve_components(&solve, error));
    if (solve.start &&
        (!plan_found(plan) || solve.start->measures.peak_bytes <= plan->measures.peak_bytes))
        plan_take(plan, solve.start);
    if (plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}
