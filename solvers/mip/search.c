#include "solvers/mip/search.h"

#include <assert.h>
#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/bounds.h"
#include "planning/verify/plan.h"
#include "solvers/mip/model/plan.h"

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

enum status mip_search(const struct mip_solver *solver, const struct planner_task *task,
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
