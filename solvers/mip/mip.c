#include "solvers/mip/mip.h"

#include <assert.h>
#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/plan/planner.h"
#include "planning/problem/bounds.h"
#include "planning/verify/plan.h"
#include "solvers/common/components.h"
#include "solvers/mip/model/plan.h"
#include "solvers/mip/solver.h"

/* How far a bound that was computed in floating point may be off, in scaled bytes. */
static const double bound_tolerance = 1e-4;

/* Solvers cut nodes off by tolerances relative to the numbers in the model. Beyond this peak, in
   scaled bytes, GLPK has been seen to cut off optima, so what is proved there is not believed. */
static const uint64_t most_believed_units = 100000;

struct search {
    const struct mip_solver *solver;
    const struct planner_task *task;
    struct plan *plan; /* the best so far, where plan_found */
    struct mip_model *model;
    double *start; /* [columns] of the plan, or NULL */
    uint64_t deadline_ns;
    struct error *error;
};

/* Keeps what the binaries stand for if it is valid and better than the best so far. */
static enum status keep_solution(struct search *search, const double *values)
{
    assert(values && search->model);
    const struct problem *problem = search->task->problem;
    struct verdict verdict;
    struct plan *found;
    TRY(plan_create(problem, &found, search->error));
    enum status status = STATUS_OK;
    found->status = PLAN_FEASIBLE;
    if (mip_model_to_plan(search->model, values, found)) {
        status = plan_set_peak(found, problem, search->error);
        if (!status)
            status = verify_plan(problem, found, &verdict, search->error);
        if (!status && verdict.fault == VERIFY_VALID &&
            (!plan_found(search->plan) ||
             found->measures.peak_bytes < search->plan->measures.peak_bytes))
            plan_take(search->plan, found);
    }
    plan_free(found);
    return status;
}

static bool is_believed(const struct search *search)
{
    return search->model->upper <= most_believed_units;
}

/* A model whose upper end is the peak of a plan has a solution; a solver that says otherwise is
   wrong, and nothing is concluded. */
static void conclude_no_plan(struct search *search, const struct mip_answer *answer)
{
    assert(!plan_found(search->plan));
    struct plan *plan = search->plan;
    if (answer->crashed)
        plan->status = PLAN_CRASH;
    else if (answer->missing)
        plan->status = PLAN_UNSUPPORTED;
    else if (answer->infeasible && is_believed(search))
        plan->status = PLAN_INFEASIBLE;
    else
        plan->status = answer->infeasible || answer->found ? PLAN_GAVE_UP : PLAN_TIMEOUT;
}

/* A bound above the upper end, where a plan is, would be a mistake of the solver's. */
static void raise_bound(struct search *search, double bound)
{
    double whole = ceil(bound - bound_tolerance);
    if (!is_believed(search) || !(whole > 0) || whole > (double)search->model->upper)
        return;
    uint64_t bound_bytes = (uint64_t)whole * search->model->scale;
    assert(!plan_found(search->plan) || bound_bytes <= search->model->upper * search->model->scale);
    if (bound_bytes > search->plan->measures.lower_bound_bytes)
        search->plan->measures.lower_bound_bytes = bound_bytes;
}

static enum status ask_solver(struct search *search)
{
    assert(search->solver->solve && search->model->columns > 0);
    const struct mip_question question = {search->model, search->start, search->deadline_ns};
    struct mip_answer answer = {0};
    enum status status;
    TRY(memory_create(&answer.values, search->model->columns, sizeof *answer.values,
                      search->error));
    TRY_OR_DONE(status, search->solver->solve(&question, &answer, search->error));
    search->plan->measures.nodes = answer.nodes;
    if (answer.found)
        TRY_OR_DONE(status, keep_solution(search, answer.values));
    if (!plan_found(search->plan))
        conclude_no_plan(search, &answer);
    raise_bound(search, answer.peak_bound);
done:
    memory_free(answer.values);
    return status;
}

static enum status prepare_start(struct search *search)
{
    if (!plan_found(search->plan))
        return STATUS_OK;
    TRY(memory_create(&search->start, search->model->columns, sizeof *search->start,
                      search->error));
    if (!mip_model_from_plan(search->model, search->plan, search->start)) {
        memory_free(search->start);
        search->start = NULL;
    }
    return STATUS_OK;
}

static uint64_t find_upper_bytes(const struct search *search)
{
    const struct plan *plan = search->plan;
    if (plan_found(plan))
        return plan->measures.peak_bytes;
    uint64_t upper_bytes = problem_ample_bytes(search->task->problem);
    return upper_bytes < search->task->capacity_bytes ? upper_bytes : search->task->capacity_bytes;
}

static enum status search_model(struct search *search)
{
    TRY(mip_model_create(search->task->problem, find_upper_bytes(search), &search->model,
                         search->error));
    if (!search->model) {
        if (!plan_found(search->plan))
            search->plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    enum status status = prepare_start(search);
    if (!status)
        status = ask_solver(search);
    memory_free(search->start);
    mip_model_free(search->model);
    return status;
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
    assert(solver->solve && plan->buffers == task->problem->buffers);
    struct search search = {.solver = solver,
                            .task = task,
                            .plan = plan,
                            .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                            .error = error};
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
    struct error *error;
};

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
    enum status status = STATUS_OK;
    TRY(components_create(solve->task->problem, plan->measures.lower_bound_bytes,
                          &solve->components, solve->error));
    plan->status = PLAN_FEASIBLE;
    if (solve->start)
        plan_take(plan, solve->start);
    for (uint32_t i = 0; i < solve->components.count && !status && plan_found(plan); i++)
        if (!is_low_enough(solve, i))
            status = components_solve(&solve->components, i, solve_component, solve, solve->error);
    if (!status && plan_found(plan))
        status = components_finish(&solve->components, plan, solve->error);
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
    TRY(components_find_start(task, &solve->start, solve->error));
    if (solve->start && solve->start->measures.peak_bytes > task->capacity_bytes)
        solve->start = NULL;
    if (!solve->start || solve->start->measures.peak_bytes > plan->measures.lower_bound_bytes)
        TRY(solve_components(solve));
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
