#include "harness/memories/best.h"

#include <string.h>

#include "core/clock.h"
#include "heuristics/memories/rows.h"
#include "solvers/memories/oracle.h"
#include "solvers/memories/rows.h"

struct portfolio {
    const struct memory_task *task;
    struct memory_plan *plan, *made;
    uint64_t began_ns, least_traffic;
    struct error *error;
};

/* Runs a planner with the best plan as its start, until `limit_ns` from now or after `rounds`. */
static enum status run_planner(struct portfolio *portfolio, const struct memory_planner *planner,
                               uint64_t limit_ns, uint64_t rounds)
{
    struct memory_plan *plan = portfolio->plan;
    struct memory_task task = *portfolio->task;
    uint64_t deadline_ns = clock_deadline_ns(limit_ns);
    if (deadline_ns < task.deadline_ns)
        task.deadline_ns = deadline_ns;
    task.rounds = rounds;
    task.start = memory_plan_found(plan) ? plan : NULL;
    TRY(memory_planner_plan(planner, &task, portfolio->made, portfolio->error));
    if (memory_plan_found(portfolio->made) &&
        (!memory_plan_found(plan) || portfolio->made->cost < plan->cost ||
         (portfolio->made->cost == plan->cost &&
          memory_plan_peaks(portfolio->made) < memory_plan_peaks(plan))))
        memory_plan_take(plan, portfolio->made);
    return STATUS_OK;
}

/* Whether there is nothing left to find: the plan costs no more than the bound, but for the
   hundred-millionth by which the bound of a relaxation is lowered for safety, of what is above the
   least traffic. */
static bool is_settled(const struct portfolio *portfolio)
{
    enum { SAFETY = 100000000 };
    const struct memory_plan *plan = portfolio->plan;
    return memory_plan_found(plan) &&
           plan->cost <= plan->cost_bound + (plan->cost_bound - portfolio->least_traffic) / SAFETY;
}

/* Takes over what the planner that ran last has proved. */
static void raise_bound(struct portfolio *portfolio)
{
    if (portfolio->made->cost_bound > portfolio->plan->cost_bound)
        portfolio->plan->cost_bound = portfolio->made->cost_bound;
}

/* Lets the solver search for the time given, and takes over what it proves. */
static enum status solve(struct portfolio *portfolio, uint64_t limit_ns, bool *is_over)
{
    struct memory_plan *plan = portfolio->plan, *made = portfolio->made;
    TRY(run_planner(portfolio, &memory_planner_hitting_set, limit_ns, 0));
    plan->questions += made->questions;
    raise_bound(portfolio);
    *is_over = made->status == PLAN_INFEASIBLE || made->status == PLAN_OPTIMAL;
    if (made->status == PLAN_INFEASIBLE) {
        plan->status = PLAN_INFEASIBLE;
        memcpy(plan->reason, made->reason, sizeof plan->reason);
    }
    return STATUS_OK;
}

/* Whether all that is asked for is a low peak of the only memory. */
static bool is_plain(const struct memory_model *model)
{
    return model->arenas == 1 && model->arena[0].capacity == UINT64_MAX && !model->edges;
}

struct lowering {
    struct oracle *oracle;
    uint32_t *arena, *node;   /* [nodes] */
    uint32_t *apart;          /* [edges] */
    uint64_t *offset, *lower; /* [nodes] */
};

static bool do_share(const struct memory_model *model, const struct lowering *lowering,
                     const struct memory_edge *edge)
{
    uint32_t a = edge->first, b = edge->second;
    return lowering->offset[a] < lowering->offset[b] + model->nodes->size[b] &&
           lowering->offset[b] < lowering->offset[a] + model->nodes->size[a];
}

/* Lowers the peak of an arena where that can be done without paying another edge. */
static enum status lower_arena(struct portfolio *portfolio, struct lowering *lowering,
                               uint32_t arena, uint64_t limit_ns)
{
    const struct memory_model *model = portfolio->task->model;
    struct oracle_question question = {.arena = arena,
                                       .node = lowering->node,
                                       .apart = lowering->apart,
                                       .capacity = UINT64_MAX,
                                       .limit_ns = limit_ns};
    uint64_t peak = 0, lower;
    enum plan_status answer;
    for (uint32_t n = 0; n < model->classes.count; n++)
        if (lowering->arena[n] == arena) {
            uint64_t end = lowering->offset[n] + model->nodes->size[n];
            lowering->node[question.nodes++] = n;
            peak = end > peak ? end : peak;
        }
    for (uint32_t e = 0; e < model->edges; e++)
        if (lowering->arena[model->edge[e].first] == arena &&
            lowering->arena[model->edge[e].second] == arena &&
            !do_share(model, lowering, &model->edge[e]))
            lowering->apart[question.aparts++] = e;
    TRY(oracle_ask(lowering->oracle, portfolio->task->best, &question, lowering->lower, &lower,
                   &answer, portfolio->error));
    if (!plan_status_is_found(answer) || lower >= peak)
        return STATUS_OK;
    for (uint32_t i = 0; i < question.nodes; i++)
        lowering->offset[question.node[i]] = lowering->lower[i];
    return STATUS_OK;
}

static enum status lower_peaks(struct portfolio *portfolio)
{
    const struct memory_model *model = portfolio->task->model;
    struct error *error = portfolio->error;
    struct scratch *scratch = portfolio->task->scratch;
    struct lowering lowering = {.arena = NULL};
    SCOPED(oracle_free) struct oracle oracle = {.model = NULL};
    uint64_t limit_ns = clock_left_ns(portfolio->task->deadline_ns);
    uint64_t took_ns = clock_monotonic_ns() - portfolio->began_ns;
    if (!is_plain(model) && took_ns / model->arenas + 1000000 < limit_ns)
        limit_ns = took_ns / model->arenas + 1000000;
    TRY(oracle_create(model, &oracle, error));
    lowering.oracle = &oracle;
    TRY(scratch_take_all(scratch, model->classes.count, error, &lowering.arena, &lowering.node,
                         &lowering.offset, &lowering.lower));
    TRY(scratch_take(scratch, &lowering.apart, model->edges, sizeof(uint32_t), error));
    memory_model_read(model, portfolio->plan, lowering.arena, lowering.offset);
    for (uint32_t a = 0; a < model->arenas && clock_left_ns(portfolio->task->deadline_ns); a++)
        TRY(lower_arena(portfolio, &lowering, a, limit_ns));
    enum plan_status status = portfolio->plan->status;
    memory_model_fill(model, lowering.arena, lowering.offset, portfolio->plan);
    portfolio->plan->status = status;
    return STATUS_OK;
}

/* Whether some node may lie in several memories that differ in what its traffic costs. */
static bool has_choice(const struct memory_model *model)
{
    for (uint32_t n = 0; n < model->classes.count; n++)
        for (uint32_t m = 1; m < model->problem->memories; m++)
            if (model->traffic[(size_t)n * model->problem->memories + m] !=
                model->traffic[(size_t)n * model->problem->memories])
                return true;
    return false;
}

/* Asks the quick planners, then the solver for a part of the time, then a search that begins with
   what they found for most of the rest, and the solver again, which ends by itself where there is
   no time limit. */
static enum status find_cheapest(struct portfolio *portfolio)
{
    static const struct memory_planner *const quick[] = {
        &memory_planner_first_fit,         &memory_planner_canonical_greedy,
        &memory_planner_promote_repair,    &memory_planner_best_density,
        &memory_planner_executorch_banked,
    };
    enum { QUICK_ROUNDS = 1000, MOST_CONFLICTS = 1 << 18 };
    bool is_over = false;
    uint64_t left_ns = clock_left_ns(portfolio->task->deadline_ns);
    bool is_limited = left_ns != UINT64_MAX;
    for (size_t i = 0; i < sizeof quick / sizeof *quick && !is_settled(portfolio); i++)
        TRY(run_planner(portfolio, quick[i], left_ns / 8, 0));
    if (!is_settled(portfolio) && has_choice(portfolio->task->model)) {
        TRY(run_planner(portfolio, &memory_planner_choose_and_pack,
                        is_limited ? left_ns / 2 : 1000000000, 0));
        raise_bound(portfolio);
        if (!memory_plan_found(portfolio->plan))
            TRY(run_planner(portfolio, &memory_planner_lp_rounding, left_ns / 8, 0));
    }
    if (!is_settled(portfolio))
        TRY(run_planner(portfolio, &memory_planner_ruin_recreate, left_ns / 8, QUICK_ROUNDS));
    if (is_settled(portfolio))
        return STATUS_OK;
    /* Where only penalties are at stake, what the solver does not prove soon it seldom does. */
    bool chooses = has_choice(portfolio->task->model);
    TRY(solve(portfolio, is_limited ? left_ns / (chooses ? 8 : 12) : 1000000000, &is_over));
    if (is_over || is_settled(portfolio))
        return STATUS_OK;
    left_ns = clock_left_ns(portfolio->task->deadline_ns);
    /* Where there are more conflicts, too few of its rounds are done in some seconds. */
    const struct memory_model *model = portfolio->task->model;
    bool pushes = chooses && model->first[model->classes.count] <= MOST_CONFLICTS;
    if (pushes)
        TRY(run_planner(portfolio, &memory_planner_push_and_swap,
                        is_limited ? left_ns / 20 * 18 : 2000000000, 0));
    left_ns = clock_left_ns(portfolio->task->deadline_ns);
    if (!pushes || !memory_plan_found(portfolio->made))
        TRY(run_planner(portfolio, &memory_planner_ruin_recreate,
                        is_limited ? left_ns / 20 * (chooses ? 18 : 19) : 2000000000, 0));
    return is_settled(portfolio)
               ? STATUS_OK
               : solve(portfolio, clock_left_ns(portfolio->task->deadline_ns), &is_over);
}

static enum status plan_best(const struct memory_task *task, struct memory_plan *plan,
                             struct error *error)
{
    struct portfolio portfolio = {
        .task = task, .plan = plan, .began_ns = clock_monotonic_ns(), .error = error};
    const struct memory_model *model = task->model;
    SCOPED(memory_plan_release) struct memory_plan *made = NULL;
    TRY(memory_plan_create(model->problem, &made, error));
    portfolio.made = made;
    for (uint32_t n = 0; n < model->classes.count; n++)
        portfolio.least_traffic += memory_model_least_traffic(model, n);
    plan->cost_bound = portfolio.least_traffic;
    plan->status = PLAN_TIMEOUT;
    TRY(find_cheapest(&portfolio));
    if (!memory_plan_found(plan))
        return STATUS_OK;
    if (task->best && model->arenas)
        TRY(lower_peaks(&portfolio));
    plan->status = plan->cost <= plan->cost_bound ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}

const struct memory_planner memory_planner_best = {
    .name = "best",
    .title = "quick planners, then the solver and a search by turns; peaks lowered at last",
    .source = "ours",
    .flags = MEMORY_PLANNER_EXACT | MEMORY_PLANNER_SEARCHES,
    .plan = plan_best};
