/* Heuristics that place all nodes in a few orders: those of dsa-solver (tonibohnlein/dsa-solver @
   a8d1257, docs/dsa_rp_algorithms.md), and two that look at what a memory saves. They depart from
   their sources in what these leave open: a node that several memories are open to goes to the
   cheapest one in which it fits, and the shuffles are those of our own random numbers. */

#include "core/clock.h"
#include "core/random.h"
#include "heuristics/memories/orders.h"
#include "heuristics/memories/place.h"
#include "heuristics/memories/rows.h"

struct greedy_rule {
    enum memory_order order[3];
    uint32_t orders, shuffles; /* of the last order, one after another */
    bool cheapest;
    const struct greedy_rule *before; /* its plan is replaced by one that costs no more; or NULL */
};

static bool is_free(const struct memory_plan *plan)
{
    return memory_plan_found(plan) && !plan->cost;
}

static enum status try_orders(const struct greedy_rule *rule, const struct memory_task *task,
                              struct memory_plan *plan, struct error *error)
{
    const struct memory_model *model = task->model;
    struct random_state random = random_seed(task->seed);
    SCOPED(memory_plan_release) struct memory_plan *made = NULL;
    struct placing placing;
    uint32_t *order;
    TRY(placing_create(model, task->scratch, &placing, error));
    TRY(scratch_take(task->scratch, &order, model->classes.count, sizeof *order, error));
    TRY(memory_plan_create(model->problem, &made, error));
    if (rule->before)
        TRY(try_orders(rule->before, task, plan, error));
    /* Where nothing has a penalty the lowest offset is the cheapest one,
       and orders say the same. */
    bool repeats = rule->before && !model->edges, is_first = rule->before && !repeats;
    for (uint32_t i = 0; i < rule->orders + rule->shuffles && !is_free(plan); i++) {
        if (i < rule->orders)
            TRY(memory_order_make(model, rule->order[i], order, error));
        else
            random_shuffle(&random, order, model->classes.count);
        if (i && !clock_left_ns(task->deadline_ns))
            break;
        if (repeats && i < rule->orders)
            continue;
        if (!placing_decode(&placing, order, rule->cheapest))
            continue;
        placing_read(&placing, made);
        if (memory_plan_found(plan) && made->cost >= plan->cost + is_first)
            continue;
        memory_plan_take(plan, made);
        is_first = false;
    }
    return STATUS_OK;
}

static enum status plan_greedy(const struct memory_task *task, struct memory_plan *plan,
                               struct error *error)
{
    return try_orders(task->rule, task, plan, error);
}

static const struct greedy_rule first_fit = {
    {MEMORY_ORDER_SIZE, MEMORY_ORDER_BIRTH, MEMORY_ORDER_PENALTY}, 3, 0, false, NULL};
static const struct greedy_rule canonical_greedy = {
    {MEMORY_ORDER_SIZE, MEMORY_ORDER_BIRTH, MEMORY_ORDER_PENALTY}, 3, 4, true, &first_fit};
static const struct greedy_rule best_density = {{MEMORY_ORDER_BENEFIT}, 1, 0, false, NULL};
static const struct greedy_rule xla_benefit = {{MEMORY_ORDER_BOUNDEDNESS}, 1, 0, false, NULL};

#define GREEDY_PLANNER(rule_, title_, source_)                                                     \
    const struct memory_planner memory_planner_##rule_ = {                                         \
        .name = #rule_, .title = title_, .source = source_, .rule = &rule_, .plan = plan_greedy}

GREEDY_PLANNER(first_fit, "lowest offsets in three orders, penalties ignored",
               "dsa-solver a8d1257, first_fit");
GREEDY_PLANNER(canonical_greedy,
               "first_fit, then the offset that pays least, in three orders and four shuffles",
               "dsa-solver a8d1257, canonical_greedy");
GREEDY_PLANNER(best_density, "most saved traffic for each byte and step first",
               "ours, after Bar-Noy et al., J. ACM 48(5), 2001");
GREEDY_PLANNER(xla_benefit, "most saved traffic for the root of the size first",
               "openxla/xla 84d7260817c4, memory_space_assignment, without moves");
