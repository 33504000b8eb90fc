#include "solvers/mip/component.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/verify/problem/plan.h"
#include "solvers/mip/model/build.h"
#include "solvers/mip/round.h"

/* The greatest error of a bound that was computed in floating point, in scaled bytes. */
static const double bound_tolerance = 1e-4;

/* Solvers cut nodes off by tolerances relative to the numbers in the model. Beyond this peak, in
   scaled bytes, GLPK has been seen to cut off optima, so what is proved there is not believed. */
static const uint64_t most_believed_units = 100000;

/* Beyond this, not all whole numbers are floating-point numbers, and GLPK has been seen to break
   assertions of its own. */
static const uint64_t most_exact_units = (uint64_t)1 << 53;

struct search {
    const struct mip_way *way;
    const struct planner_task *task;
    struct plan *plan; /* the best so far, where plan_found */
    uint64_t deadline_ns;
    struct mip_model *model;
    const double *start; /* [columns] of the plan, or NULL */
    struct error *error;
};

/* Keeps the plan if it is valid and better than the best so far. */
static enum status keep_plan(struct search *search, const struct plan *found)
{
    const struct problem *problem = search->task->problem;
    struct verdict verdict;
    TRY(verify_plan(problem, found, &verdict, search->error));
    if (verdict.fault == VERIFY_VALID &&
        found->measures.peak_bytes <= search->task->capacity_bytes &&
        (!plan_found(search->plan) ||
         found->measures.peak_bytes < search->plan->measures.peak_bytes))
        plan_take(search->plan, found);
    return STATUS_OK;
}

static enum status keep_solution(struct search *search, const double *values)
{
    const struct problem *problem = search->task->problem;
    SCOPED(plan_release) struct plan *found = NULL;
    assert(values && search->model);
    TRY(plan_create(problem, &found, search->error));
    found->status = PLAN_FEASIBLE;
    if (!search->model->formulation->to_plan(search->model, values, found))
        return STATUS_OK;
    TRY(plan_set_peak(found, problem, search->error));
    return keep_plan(search, found);
}

static void raise_bound(struct search *search, uint64_t bound_bytes)
{
    assert(bound_bytes <= INT64_MAX);
    assert(!plan_found(search->plan) || bound_bytes <= search->plan->measures.peak_bytes);
    if (bound_bytes > search->plan->measures.lower_bound_bytes)
        search->plan->measures.lower_bound_bytes = bound_bytes;
}

/* A bound above the upper end is one where there is no plan up to there. Where a plan has that
   peak, it is a mistake of the solver's. */
static void take_bound(struct search *search, const struct mip_answer *answer)
{
    const struct mip_model *model = search->model;
    const struct plan *plan = search->plan;
    assert(model->scale > 0 && model->bound <= model->upper);
    double whole = ceil(answer->peak_bound - bound_tolerance);
    uint64_t above_bytes = (model->upper + 1) * model->scale;
    if (model->upper > most_believed_units)
        return;
    if (answer->infeasible && (!plan_found(plan) || above_bytes <= plan->measures.peak_bytes))
        raise_bound(search, above_bytes);
    if (whole > 0 && whole <= (double)model->upper)
        raise_bound(search, (uint64_t)whole * model->scale);
}

static void count_model(struct search *search, const struct mip_answer *answer, uint64_t began_ns)
{
    const struct mip_model *model = search->model;
    uint64_t *counter = search->plan->search->counter;
    assert(model->own_rows <= model->rows && (!answer->root_ns || answer->root_ns >= began_ns));
    counter[SEARCH_COLUMNS] = model->columns;
    counter[SEARCH_ROWS] = model->own_rows;
    counter[SEARCH_SEPARATED] = model->rows - model->own_rows;
    counter[SEARCH_ENTRIES] = model->row_first[model->own_rows];
    if (answer->bytes > counter[SEARCH_SOLVER_BYTES])
        counter[SEARCH_SOLVER_BYTES] = answer->bytes;
    if (answer->root_ns && !counter[SEARCH_ROOT_NS]) {
        counter[SEARCH_ROOT_NS] = answer->root_ns - began_ns;
        counter[SEARCH_ROOT_BOUND] = (uint64_t)(fmax(0, answer->root_bound) * (double)model->scale);
        counter[SEARCH_CUT_BOUND] = (uint64_t)(fmax(0, answer->cut_bound) * (double)model->scale);
    }
}

bool mip_is_proved(const struct plan *plan)
{
    return plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes;
}

static enum plan_status judge_end(const struct search *search, const struct mip_answer *answer)
{
    assert(!plan_found(search->plan));
    if (answer->infeasible && search->model->upper <= most_believed_units)
        return PLAN_INFEASIBLE;
    return answer->infeasible || answer->found ? PLAN_GAVE_UP : PLAN_TIMEOUT;
}

/* The relaxation of a large program takes long, and where a plan has the peak of the bound nobody
   needs it: so plans are made first, for about as long as the simplex takes with two iterations for
   each row. A small program is solved sooner than that pays. */
static enum status dive_first(struct search *search, struct mip_rounder *rounder,
                              const struct mip_question *question)
{
    static const uint64_t small_work = 2000000; /* about 0.05 s */
    const struct mip_model *model = search->model;
    const struct plan *found;
    uint64_t work = 2 * (uint64_t)model->rows * ((uint64_t)model->rows + model->columns);
    work -= work < small_work ? work : small_work;
    if (question->meter && mip_meter_left(question->meter) < work)
        work = mip_meter_left(question->meter);
    TRY(mip_rounder_begin(rounder, question->deadline_ns, &work, &found));
    if (question->meter)
        question->meter->done += work;
    return found ? keep_plan(search, found) : STATUS_OK;
}

/* A solver that does not separate itself is asked again as long as its solution breaks rows that
   the formulation had left out. All its bounds are bounds of the problem. A model whose upper end
   is the peak of a plan has a solution; a solver that says otherwise is wrong, and nothing is
   concluded. */
static enum status ask_solver(struct search *search)
{
    struct mip_model *model = search->model;
    struct plan *plan = search->plan;
    const struct mip_solver *solver = search->way->solver;
    SCOPED(mip_rounder_release) struct mip_rounder *rounder = NULL;
    if (solver->rounds && model->switches & MIP_DIVE && mip_rounder_suits(model))
        TRY(mip_rounder_create(model, plan, &rounder, search->error));
    const struct mip_rounding rounding = {mip_rounder_round, rounder};
    struct mip_question question = {model,
                                    search->start,
                                    search->deadline_ns,
                                    search->way->cuts,
                                    search->way->meter,
                                    rounder ? &rounding : NULL};
    uint64_t began_ns = clock_monotonic_ns();
    SCOPED(memory_release) double *values = NULL;
    const struct plan *rounded = NULL;
    bool again;
    assert(solver->solve && model->columns > 0);
    TRY(memory_create(&values, model->columns, sizeof *values, search->error));
    count_model(search, &(struct mip_answer){0}, began_ns);
    if (rounder)
        TRY(dive_first(search, rounder, &question));
    again = !mip_is_proved(plan) && model->upper <= most_exact_units;
    if (!again && !plan_found(plan))
        plan->status = PLAN_GAVE_UP;
    while (again) {
        struct mip_answer answer = {.values = values};
        TRY(solver->solve(&question, &answer, search->error));
        TRY(mip_model_check(model, search->error));
        assert(!(answer.missing && answer.found));
        plan->measures.nodes += answer.nodes;
        if (answer.missing || answer.crashed)
            snprintf(plan->reason, sizeof plan->reason, "%s %s", solver->title,
                     answer.missing ? "is not installed" : "ended without an answer");
        if (answer.found)
            TRY(keep_solution(search, values));
        if (rounder)
            TRY(mip_rounder_best(rounder, &rounded));
        if (rounded && plan_found(rounded))
            TRY(keep_plan(search, rounded));
        if (answer.crashed)
            plan->status = PLAN_CRASH;
        else if (!plan_found(plan))
            plan->status = answer.missing ? PLAN_UNSUPPORTED : judge_end(search, &answer);
        take_bound(search, &answer);
        uint32_t rows = model->rows;
        again = answer.found && !solver->separates && model->formulation->separate &&
                clock_left_ns(question.deadline_ns) && !mip_is_proved(plan);
        if (again)
            model->formulation->separate(model, values);
        TRY(mip_model_check(model, search->error));
        again = again && model->rows > rows;
        count_model(search, &answer, began_ns);
    }
    return STATUS_OK;
}

/* The program of all plans with peaks from the bound up to upper_bytes. */
static enum status search_range(struct search *search, uint64_t upper_bytes)
{
    assert(search->way->formulation && search->task->problem->buffers > 0);
    struct plan *plan = search->plan;
    unsigned switches = search->way->switches;
    SCOPED(mip_model_release) struct mip_model *model = NULL;
    SCOPED(memory_release) double *start = NULL;
    struct mip_setup setup = {.formulation = search->way->formulation,
                              .switches = switches,
                              .bound_bytes = plan->measures.lower_bound_bytes,
                              .upper_bytes = upper_bytes};
    assert(setup.bound_bytes <= upper_bytes);
    TRY(mip_model_create(search->task->problem, &setup, &model, search->error));
    if (search->way->meter)
        search->way->meter->done += model->entries;
    if (*model->refusal) {
        snprintf(plan->reason, sizeof plan->reason, "%s", model->refusal);
        if (!plan_found(plan))
            plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    if (model->is_infeasible) {
        assert(!plan_found(plan) || upper_bytes < plan->measures.peak_bytes);
        if (!plan_found(plan))
            plan->status = PLAN_INFEASIBLE;
        raise_bound(search, (model->upper + 1) * model->scale);
        return STATUS_OK;
    }
    search->model = model;
    search->start = NULL;
    bool is_start;
    if (plan_found(plan) && plan->measures.peak_bytes <= upper_bytes && switches & MIP_START) {
        TRY(memory_create(&start, model->columns, sizeof *start, search->error));
        TRY(mip_values_of_plan(model, plan, start, &is_start, search->error));
        search->start = is_start ? start : NULL;
    }
    return ask_solver(search);
}

/* The peak of the plan that is there, else what every best plan keeps. */
static uint64_t find_upper(const struct search *search, bool by_plan)
{
    assert(!plan_found(search->plan) || search->plan->measures.peak_bytes > 0);
    uint64_t ample_bytes = problem_ample_bytes(search->task->problem);
    if (plan_found(search->plan) && by_plan)
        return search->plan->measures.peak_bytes;
    return ample_bytes < search->task->capacity_bytes ? ample_bytes : search->task->capacity_bytes;
}

/* Looks for plans from the bound upwards, at first at the bound alone: the less there is between a
   program's bounds, the more of its pairs are settled and the stronger are its rows. Each range has
   half of the time that is left, or all of the work; the first that is not settled is the last. */
static enum status ascend(struct search *search)
{
    enum { PARTS = 8 };
    const uint64_t *bound_bytes = &search->plan->measures.lower_bound_bytes;
    uint64_t below = 0, width = 0, upper_bytes = find_upper(search, true);
    while (*bound_bytes > below && *bound_bytes + width < upper_bytes) {
        uint64_t left_ns = clock_left_ns(search->way->deadline_ns);
        bool is_all = search->way->meter || left_ns == UINT64_MAX;
        below = *bound_bytes;
        search->deadline_ns = is_all ? search->way->deadline_ns : clock_deadline_ns(left_ns / 2);
        TRY(search_range(search, below + width));
        upper_bytes = find_upper(search, true);
        width = width ? 2 * width : (upper_bytes - below) / PARTS;
    }
    return STATUS_OK;
}

enum status mip_search(const struct mip_way *way, const struct planner_task *task,
                       struct plan *plan, struct error *error)
{
    struct search search = {.way = way, .task = task, .plan = plan, .error = error};
    assert(plan->buffers == task->problem->buffers);
    assert(plan->measures.lower_bound_bytes <= task->capacity_bytes);
    if (way->switches & MIP_ASCEND && !mip_is_proved(plan))
        TRY(ascend(&search));
    uint64_t upper_bytes = find_upper(&search, way->switches & MIP_UPPER);
    bool is_refused = *plan->reason; /* so are wider ranges */
    if (mip_is_proved(plan) || plan->measures.lower_bound_bytes > upper_bytes || is_refused)
        return STATUS_OK;
    if (!plan_found(plan))
        plan->status = PLAN_TIMEOUT;
    search.deadline_ns = way->deadline_ns;
    return way->meter && !mip_meter_left(way->meter) ? STATUS_OK
                                                     : search_range(&search, upper_bytes);
}
