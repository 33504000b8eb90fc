#include "solvers/mip/mip.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/plan/planner.h"
#include "planning/problem/bounds.h"
#include "planning/verify/problem/plan.h"
#include "solvers/common/components.h"
#include "solvers/mip/backends/solver.h"
#include "solvers/mip/model/order_plan.h"

/* The greatest error of a bound that was computed in floating point, in scaled bytes. */
static const double bound_tolerance = 1e-4;

/* Solvers cut nodes off by tolerances relative to the numbers in the model. Beyond this peak, in
   scaled bytes, GLPK has been seen to cut off optima, so what is proved there is not believed. */
static const uint64_t most_believed_units = 100000;

#define SOLVER_ROW(name) &mip_solver_##name,
static const struct mip_solver *const solvers[] = {MIP_SOLVERS(SOLVER_ROW)};
#undef SOLVER_ROW
#define SOLVER_WORD(name) #name,
const char *const mip_solver_names[] = {MIP_SOLVERS(SOLVER_WORD) NULL};
#undef SOLVER_WORD

/* The solver comes first, then the switches in the order of their bits. */
#define OPTIONS(solver, cliques)                                                                   \
    {                                                                                              \
        {"solver", "what solves the program", solver, 0, sizeof solvers / sizeof *solvers - 1},    \
            {"cliques", "rows for each section, without M", cliques, 0, 1},                        \
            {"mirror", "of a plan and its mirror image only one", 1, 0, 1},                        \
            {"twins", "of equal buffers the first lies lowest", 1, 0, 1},                          \
            {"upper", "no plan above the start is looked for", 1, 0, 1},                           \
            {"directions", "pairs of which bounds on offsets leave one side are fixed", 1, 0, 1},  \
            {"scale", "bytes are counted in the largest unit", 1, 0, 1},                           \
            {"tight", "each pair has the least M of its own", 1, 0, 1},                            \
            {"start", "the solver begins with the best plan of the heuristics", 1, 0, 1},          \
            {"branch", "GLPK branches where that settles most", 1, 0, 1},                          \
            {"cuts", "the solver's own cutting planes: 0 none, 1 all, 2 as it does by itself", 2,  \
             0, 2},                                                                                \
        {                                                                                          \
            NULL, NULL, 0, 0, 0                                                                    \
        }                                                                                          \
    }
const struct planner_option mip_options[] = OPTIONS(0, 1);
const struct planner_option mip_options_without_cliques[] = OPTIONS(0, 0);
const struct planner_option mip_options_of_cbc[] = OPTIONS(1, 1);

static const struct mip_solver *get_solver(const struct planner *planner)
{
    return solvers[planner_option_value(planner, 0)];
}

const char *mip_version(const struct planner *planner)
{
    const struct mip_solver *solver = get_solver(planner);
    return solver->version();
}

struct solve {
    const struct mip_formulation *formulation;
    const struct mip_solver *solver;
    unsigned switches;
    enum mip_cuts cuts;
    const struct planner_task *task;
    const struct plan *start; /* verified and within the capacity, or NULL */
    struct components components;
    struct plan *plan; /* of the whole problem, put together of those of the components */
    uint64_t deadline_ns;
};

struct search {
    const struct solve *solve;
    const struct planner_task *task;
    struct plan *plan; /* the best so far, where plan_found */
    struct mip_model *model;
    const double *start; /* [columns] of the plan, or NULL */
    struct error *error;
};

/* Keeps what the values stand for if it is valid and better than the best so far. */
static enum status keep_solution(struct search *search, const double *values)
{
    const struct problem *problem = search->task->problem;
    SCOPED(plan_release) struct plan *found = NULL;
    struct verdict verdict;
    assert(values && search->model);
    TRY(plan_create(problem, &found, search->error));
    found->status = PLAN_FEASIBLE;
    if (!search->model->formulation->to_plan(search->model, values, found))
        return STATUS_OK;
    TRY(plan_set_peak(found, problem, search->error));
    TRY(verify_plan(problem, found, &verdict, search->error));
    if (verdict.fault == VERIFY_VALID &&
        found->measures.peak_bytes <= search->task->capacity_bytes &&
        (!plan_found(search->plan) ||
         found->measures.peak_bytes < search->plan->measures.peak_bytes))
        plan_take(search->plan, found);
    return STATUS_OK;
}

/* A bound above the upper end, where a plan is, would be a mistake of the solver's. */
static void take_bound(struct search *search, const struct mip_answer *answer)
{
    const struct mip_model *model = search->model;
    double whole = ceil(answer->peak_bound - bound_tolerance);
    if (model->upper > most_believed_units || !(whole > 0) || whole > (double)model->upper)
        return;
    uint64_t bound_bytes = (uint64_t)whole * model->scale;
    if (bound_bytes > search->plan->measures.lower_bound_bytes)
        search->plan->measures.lower_bound_bytes = bound_bytes;
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
    counter[SEARCH_SOLVER_BYTES] = answer->bytes;
    if (answer->root_ns && !counter[SEARCH_ROOT_NS]) {
        counter[SEARCH_ROOT_NS] = answer->root_ns - began_ns;
        counter[SEARCH_ROOT_BOUND] = (uint64_t)(fmax(0, answer->root_bound) * (double)model->scale);
        counter[SEARCH_CUT_BOUND] = (uint64_t)(fmax(0, answer->cut_bound) * (double)model->scale);
    }
}

static enum plan_status judge_end(const struct search *search, const struct mip_answer *answer)
{
    assert(!plan_found(search->plan));
    if (answer->crashed)
        return PLAN_CRASH;
    if (answer->infeasible && search->model->upper <= most_believed_units)
        return PLAN_INFEASIBLE;
    return answer->infeasible || answer->found ? PLAN_GAVE_UP : PLAN_TIMEOUT;
}

/* A solver that does not separate itself is asked again as long as its solution breaks rows that
   the formulation had left out. All its bounds are bounds of the problem. A model whose upper end
   is the peak of a plan has a solution; a solver that says otherwise is wrong, and nothing is
   concluded. */
static enum status ask_solver(struct search *search)
{
    struct mip_model *model = search->model;
    struct plan *plan = search->plan;
    const struct mip_solver *solver = search->solve->solver;
    const struct mip_question question = {model, search->start, search->solve->deadline_ns,
                                          search->solve->cuts};
    uint64_t began_ns = clock_monotonic_ns();
    SCOPED(memory_release) double *values = NULL;
    bool again = true;
    assert(solver->solve && model->columns > 0);
    TRY(memory_create(&values, model->columns, sizeof *values, search->error));
    while (again) {
        struct mip_answer answer = {.values = values};
        TRY(solver->solve(&question, &answer, search->error));
        TRY(mip_model_check(model, search->error));
        plan->measures.nodes += answer.nodes;
        if (answer.missing)
            snprintf(plan->reason, sizeof plan->reason, "%s is not installed", solver->title);
        if (answer.found)
            TRY(keep_solution(search, values));
        if (!plan_found(plan))
            plan->status = answer.missing ? PLAN_UNSUPPORTED : judge_end(search, &answer);
        take_bound(search, &answer);
        uint32_t rows = model->rows;
        again =
            answer.found && !solver->separates && model->formulation->separate &&
            clock_left_ns(question.deadline_ns) &&
            !(plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes);
        if (again)
            model->formulation->separate(model, values);
        TRY(mip_model_check(model, search->error));
        again = again && model->rows > rows;
        count_model(search, &answer, began_ns);
    }
    return STATUS_OK;
}

/* Changes the best plan so far into the lowest one of its order, or of another order where the
   model leaves that one out. Its values are the start if they keep every row, which GLPK does not
   check. */
static enum status make_start(struct search *search, double *values)
{
    const struct mip_model *model = search->model;
    SCOPED(plan_release) struct plan *arranged = NULL;
    SCOPED(plan_release) struct plan *lowest = NULL;
    assert(plan_found(search->plan) && values);
    TRY(plan_create(model->problem, &arranged, search->error));
    TRY(plan_create(model->problem, &lowest, search->error));
    plan_take(arranged, search->plan);
    mip_arrange(model, arranged);
    if (!mip_lower_plan(model, arranged, lowest))
        return STATUS_OK;
    lowest->status = PLAN_FEASIBLE;
    TRY(plan_set_peak(lowest, model->problem, search->error));
    model->formulation->from_plan(model, lowest, values);
    search->start = mip_model_holds(model, values) ? values : NULL;
    return STATUS_OK;
}

static enum status search_model(struct search *search)
{
    const struct problem *problem = search->task->problem;
    struct plan *plan = search->plan;
    unsigned switches = search->solve->switches;
    SCOPED(mip_model_release) struct mip_model *model = NULL;
    SCOPED(memory_release) double *start = NULL;
    struct mip_setup setup = {.formulation = search->solve->formulation,
                              .switches = switches,
                              .upper_bytes = problem_ample_bytes(problem)};
    if (setup.upper_bytes > search->task->capacity_bytes)
        setup.upper_bytes = search->task->capacity_bytes;
    if (plan_found(plan) && switches & MIP_UPPER)
        setup.upper_bytes = plan->measures.peak_bytes;
    assert(setup.upper_bytes >= plan->measures.lower_bound_bytes);
    TRY(mip_model_create(problem, &setup, &model, search->error));
    if (*model->refusal) {
        snprintf(plan->reason, sizeof plan->reason, "%s", model->refusal);
        if (!plan_found(plan))
            plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    if (model->is_infeasible) {
        assert(!plan_found(plan));
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    search->model = model;
    if (plan_found(plan) && switches & MIP_START) {
        TRY(memory_create(&start, model->columns, sizeof *start, search->error));
        TRY(make_start(search, start));
    }
    return ask_solver(search);
}

/* The program of one component, solved by a solver. The caller has verified task->start, which fits
   the capacity. A solution counts only as the plan it stands for: offsets are worked out again in
   whole numbers and verified. Solvers work in floating point: their bounds, and their word that
   there is no solution, count only while the peak is at most 100000 scaled bytes. Where the solver
   ended its process, the plan is the start, or without a start the status is crash. */
static enum status search_component(const struct solve *solve, const struct planner_task *task,
                                    struct plan *plan, struct error *error)
{
    struct search search = {.solve = solve, .task = task, .plan = plan, .error = error};
    assert(plan->buffers == task->problem->buffers);
    assert(!task->start || plan_found(task->start));
    TRY(search_record_create(&plan->search, error));
    TRY(bound_peak(task->problem, &plan->measures.lower_bound_bytes, error));
    if (plan->measures.lower_bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    if (task->start)
        plan_take(plan, task->start);
    if (plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes)
        return STATUS_OK;
    return search_model(&search);
}

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
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = solve->task->capacity_bytes, .start = start};
    TRY(plan_create(problem, &found, error));
    TRY(search_component(solve, &task, found, error));
    assert(!plan_found(found) || found->measures.peak_bytes <= task.capacity_bytes);
    plan->measures.nodes += found->measures.nodes;
    search_record_join(plan->search, found->search);
    if (*found->reason)
        snprintf(plan->reason, sizeof plan->reason, "%s", found->reason);
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
    assert(plan->search && components->count <= solve->task->problem->buffers);
    if (solve->start)
        plan_take(plan, solve->start);
    for (uint32_t i = 0; i < components->count && plan_found(plan); i++)
        if (!solve->start ||
            components_peak_bytes(components, i, solve->start) > plan->measures.lower_bound_bytes)
            TRY(components_solve(components, i, solve_component, solve, error));
    return plan_found(plan) ? components_finish(components, plan, error) : STATUS_OK;
}

static void free_solve(struct solve *solve)
{
    components_clear(&solve->components);
}

static enum status note_plan(const struct plan *plan, uint64_t began_ns,
                             struct search_record *record, struct error *error)
{
    const struct search_point point = {clock_monotonic_ns() - began_ns, plan->measures.peak_bytes,
                                       plan->measures.lower_bound_bytes};
    return plan_found(plan) ? search_record_add(record, &point, error) : STATUS_OK;
}

enum status mip_plan_or_start(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    SCOPED(free_solve)
    struct solve solve = {.formulation = planner->rule,
                          .solver = get_solver(planner),
                          .cuts = (enum mip_cuts)planner_option_value(planner, 1 + MIP_SWITCHES),
                          .task = task,
                          .plan = plan,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns)};
    uint64_t began_ns = clock_monotonic_ns();
    assert(planner->rule);
    for (uint32_t i = 0; i < MIP_SWITCHES; i++)
        solve.switches |= planner_option_value(planner, 1 + i) ? 1U << i : 0;
    if (!solve.solver->solve) {
        plan->status = PLAN_UNSUPPORTED;
        snprintf(plan->reason, sizeof plan->reason, "this build has no %s", solve.solver->title);
        return STATUS_OK;
    }
    TRY(search_record_create(&plan->search, error));
    TRY(bound_peak(task->problem, &plan->measures.lower_bound_bytes, error));
    uint64_t bound_bytes = plan->measures.lower_bound_bytes;
    if (bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    TRY(components_find_start(task, &solve.start, error));
    if (solve.start && solve.start->measures.peak_bytes > task->capacity_bytes)
        solve.start = NULL;
    if (solve.start) {
        plan_take(plan, solve.start);
        TRY(note_plan(plan, began_ns, plan->search, error));
    }
    if (!solve.start || solve.start->measures.peak_bytes > bound_bytes)
        TRY(solve_components(&solve, error));
    if (solve.start &&
        (!plan_found(plan) || solve.start->measures.peak_bytes <= plan->measures.peak_bytes))
        plan_take(plan, solve.start);
    TRY(note_plan(plan, began_ns, plan->search, error));
    if (plan_found(plan) && plan->measures.peak_bytes == plan->measures.lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error)
{
    assert(plan->buffers == task->problem->buffers);
    TRY(mip_plan_or_start(planner, task, plan, error));
    if (*plan->reason)
        plan->status = PLAN_UNSUPPORTED;
    return STATUS_OK;
}
