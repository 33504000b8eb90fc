#include "solvers/mip/mip.h"

#include <assert.h>
#include <stdio.h>

#include "core/clock.h"
#include "planning/problem/bounds.h"
#include "planning/problem/conflicts.h"
#include "solvers/common/components.h"
#include "solvers/exact/solve.h"
#include "solvers/mip/component.h"

#define SOLVER_ROW(name) &mip_solver_##name,
static const struct mip_solver *const solvers[] = {MIP_SOLVERS(SOLVER_ROW)};
#undef SOLVER_ROW
#define SOLVER_WORD(name) #name,
const char *const mip_solver_names[] = {MIP_SOLVERS(SOLVER_WORD) NULL};
#undef SOLVER_WORD

/* The solver comes first, then the switches in the order of their bits; `added` are those that no
   published program has. */
#define OPTIONS(solver, cliques, added)                                                            \
    {                                                                                              \
        {"solver", "what solves the program", solver, 0, sizeof solvers / sizeof *solvers - 1},    \
            {"cliques", "rows for each section, without M", cliques, 0, 1},                        \
            {"mirror", "of a plan and its mirror image only one", 1, 0, 1},                        \
            {"twins", "of equal buffers the first lies lowest", 1, 0, 1},                          \
            {"upper", "no plan above the start is looked for", 1, 0, 1},                           \
            {"directions", "pairs of which bounds on offsets leave one side are fixed", 1, 0, 1},  \
            {"scale", "bytes are counted in the largest unit", 1, 0, 1},                           \
            {"tight", "each pair has the least M of its own", 1, 0, 1},                            \
            {"start", "the solver begins with a plan: 0 none, 1 heuristics', 2 our own search's",  \
             1, 0, 2},                                                                             \
            {"branch", "GLPK branches where that settles most", 1, 0, 1},                          \
            {"load", "the peak is at least what is proved before", 1, 0, 1},                       \
            {"ascend", "plans are looked for from the bound upwards", added, 0, 1},                \
            {"lines", "what lies side by side in a section settles pairs and bounds", added, 0,    \
             1},                                                                                   \
            {"nodes", "GLPK's nodes are narrowed as the root is", added, 0, 1},                    \
            {"dive", "GLPK gets plans made buffer by buffer, each narrowing the next", added, 0,   \
             1},                                                                                   \
            {"cuts", "the solver's own cutting planes: 0 none, 1 all, 2 as it does by itself", 2,  \
             0, 2},                                                                                \
        {                                                                                          \
            NULL, NULL, 0, 0, 0                                                                    \
        }                                                                                          \
    }
enum { START_OPTION = 8 };
const struct planner_option mip_options[] = OPTIONS(0, 1, 1);
const struct planner_option mip_options_as_published[] = OPTIONS(0, 0, 0);
const struct planner_option mip_options_of_cbc[] = OPTIONS(1, 1, 1);

static const struct mip_solver *get_solver(const struct planner *planner)
{
    assert(planner_option_value(planner, 0) < sizeof solvers / sizeof *solvers);
    return solvers[planner_option_value(planner, 0)];
}

const char *mip_version(const struct planner *planner)
{
    const struct mip_solver *solver = get_solver(planner);
    return solver->version();
}

struct solve {
    struct mip_way way;
    const struct planner_task *task;
    const struct plan *start; /* verified and within the capacity, or NULL */
    struct components components;
    struct plan *plan; /* of the whole problem, put together of those of the components */
};

static enum status solve_component(void *context, uint32_t component, const struct problem *problem,
                                   struct error *error)
{
    struct solve *solve = context;
    struct plan *plan = solve->plan;
    SCOPED(plan_release) struct plan *found = NULL;
    assert(problem->buffers ==
           solve->components.first[component + 1] - solve->components.first[component]);
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = solve->task->capacity_bytes,
                                      .threads = solve->task->threads};
    TRY(plan_create(problem, &found, error));
    TRY(search_record_create(&found->search, error));
    TRY(bound_peak(problem, &found->measures.lower_bound_bytes, error));
    found->status = PLAN_INFEASIBLE;
    if (solve->start) {
        components_take(&solve->components, component, solve->start, found->offset);
        found->status = PLAN_FEASIBLE;
        TRY(plan_set_peak(found, problem, error));
    }
    assert(!solve->start || found->measures.peak_bytes <= task.capacity_bytes);
    if (found->measures.lower_bound_bytes <= task.capacity_bytes)
        TRY(solve->way.formulation ? mip_search(&solve->way, &task, found, error)
                                   : mip_race(&solve->way, &task, found, error));
    assert(!plan_found(found) || found->measures.peak_bytes <= task.capacity_bytes);
    assert(!plan_found(found) || found->measures.lower_bound_bytes <= found->measures.peak_bytes);
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

/* A better start by a few rounds of our own search, whose bounds count for nothing here: they are
   no proofs of the program. */
static enum status search_start(const struct solve *solve, struct plan **own, struct error *error)
{
    enum { ROUNDS = 6 };
    const struct exact_component_options options = exact_component_defaults(solve->task->threads);
    const struct exact_effort effort = {ROUNDS, solve->way.deadline_ns};
    TRY(plan_create(solve->task->problem, own, error));
    struct exact_incumbent incumbent = {
        .task = solve->task, .plan = *own, .began_ns = clock_monotonic_ns()};
    TRY(search_record_create(&(*own)->search, error));
    (*own)->measures.lower_bound_bytes = solve->plan->measures.lower_bound_bytes;
    if (solve->start)
        plan_take(*own, solve->start);
    if (!exact_incumbent_is_solved(&incumbent))
        TRY(exact_solve(&incumbent, &options, &effort, error));
    search_record_join(solve->plan->search, (*own)->search);
    return STATUS_OK;
}

/* may_keep: the start is kept where nothing could be searched. */
static enum status plan_program(const struct planner *planner, const struct planner_task *task,
                                bool may_keep, struct plan *plan, struct error *error)
{
    assert(plan->buffers == task->problem->buffers && !plan->search);
    const struct mip_solver *solver = get_solver(planner);
    SCOPED(free_solve)
    struct solve solve = {
        .way = {.formulation = planner->rule,
                .solver = solver,
                .cuts = (enum mip_cuts)planner_option_value(planner, 1 + MIP_SWITCHES),
                .deadline_ns = clock_deadline_ns(task->time_limit_ns)},
        .task = task,
        .plan = plan};
    uint64_t began_ns = clock_monotonic_ns();
    for (uint32_t i = 0; i < MIP_SWITCHES; i++)
        solve.way.switches |= planner_option_value(planner, 1 + i) ? 1U << i : 0;
    if (!solver->solve)
        snprintf(plan->reason, sizeof plan->reason, "this build has no %s", solver->title);
    else if (!planner->rule && !solver->counts_work)
        snprintf(plan->reason, sizeof plan->reason,
                 "%s does not count its work, by which a race is decided", solver->title);
    if (*plan->reason) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    TRY(search_record_create(&plan->search, error));
    TRY(bound_peak(task->problem, &plan->measures.lower_bound_bytes, error));
    uint64_t bound_bytes = plan->measures.lower_bound_bytes;
    if (bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    SCOPED(plan_release) struct plan *own = NULL;
    struct planner_task begun = *task;
    TRY(components_find_start(task, &solve.start, error));
    if (planner_option_value(planner, START_OPTION) > 1) {
        TRY(search_start(&solve, &own, error));
        begun.start = own;
        TRY(components_find_start(&begun, &solve.start, error));
    }
    if (solve.start && solve.start->measures.peak_bytes > task->capacity_bytes)
        solve.start = NULL;
    if (solve.start) {
        plan_take(plan, solve.start);
        TRY(note_plan(plan, began_ns, plan->search, error));
    }
    bool has_time;
    TRY(conflicts_has_time(task->problem, task->time_limit_ns, &has_time, error));
    if (!has_time)
        plan->status = solve.start ? PLAN_FEASIBLE : PLAN_TIMEOUT;
    else if (!solve.start || solve.start->measures.peak_bytes > bound_bytes)
        TRY(solve_components(&solve, error));
    if (!may_keep && *plan->reason) {
        plan->status = plan->status == PLAN_CRASH ? PLAN_CRASH : PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    if (solve.start &&
        (!plan_found(plan) || solve.start->measures.peak_bytes <= plan->measures.peak_bytes))
        plan_take(plan, solve.start);
    assert(!plan_found(plan) || plan->measures.lower_bound_bytes <= plan->measures.peak_bytes);
    TRY(note_plan(plan, began_ns, plan->search, error));
    if (mip_is_proved(plan))
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error)
{
    return plan_program(planner, task, false, plan, error);
}

enum status mip_plan_or_start(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    return plan_program(planner, task, true, plan, error);
}
