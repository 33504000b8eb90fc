/* Rounds the linear relaxation of unsplittable flow on a path (Chakrabarti, Chekuri, Gupta and
   Kumar, Algorithmica 47, 2007, whose rounding by chance becomes an order here): the buffers that
   it puts wholly into their cheapest memory are placed first, then those that it divides, at last
   the others, each in the cheapest memory in which it still fits. Its optimum bounds every plan's
   cost. */

#include <assert.h>

#include "core/sort.h"
#include "heuristics/memories/place.h"
#include "solvers/memories/master.h"
#include "solvers/memories/program.h"
#include "solvers/memories/rows.h"

struct rounding {
    const struct memory_model *model;
    struct master_answer answer;
    uint32_t *order; /* [nodes] */
};

static uint64_t get_class(const void *context, uint32_t node)
{
    const struct rounding *rounding = context;
    assert(rounding->answer.share && node < rounding->model->classes.count);
    const struct memory_model *model = rounding->model;
    uint64_t traffic = memory_model_traffic(model, node, rounding->answer.arena[node]);
    if (rounding->answer.share[node] < 1 - 1e-6)
        return 1;
    for (uint32_t a = 0; a < model->arenas; a++)
        if (memory_model_traffic(model, node, a) < traffic)
            return 2;
    return 0;
}

static uint64_t get_birth(const void *context, uint32_t node)
{
    const struct rounding *rounding = context;
    assert(node < rounding->model->nodes->buffers);
    return problem_lower(rounding->model->nodes, node);
}

static uint64_t get_duration(const void *context, uint32_t node)
{
    const struct rounding *rounding = context;
    return problem_duration(rounding->model->nodes, node);
}

/* Places in orders of the classes, and in each class by duration, size or birth. */
static enum status round_off(struct rounding *rounding, struct memory_plan *plan,
                             struct scratch *scratch, struct error *error)
{
    assert(rounding->answer.solved);
    const struct sort_key class = {.value = get_class};
    const struct sort_key duration = {.value = get_duration, .descending = true};
    const struct sort_key size = {.descending = true, SORT_ARRAY(rounding->model->nodes->size)};
    const struct sort_key orders[][SORT_MOST_KEYS] = {
        {class, duration, size}, {class, size, duration}, {class, {.value = get_birth}, size}};
    SCOPED(memory_plan_release) struct memory_plan *made = NULL;
    struct placing placing;
    TRY(placing_create(rounding->model, scratch, &placing, error));
    TRY(memory_plan_create(rounding->model->problem, &made, error));
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        TRY(sort_by_keys(orders[i], rounding, rounding->model->classes.count, rounding->order,
                         error));
        if (!placing_decode(&placing, rounding->order, true))
            continue;
        placing_read(&placing, made);
        assert(made->cost >= plan->cost_bound);
        if (!memory_plan_found(plan) || made->cost < plan->cost)
            memory_plan_take(plan, made);
    }
    return STATUS_OK;
}

static enum status plan_rounded(const struct memory_task *task, struct memory_plan *plan,
                                struct error *error)
{
    const struct memory_model *model = task->model;
    struct rounding rounding = {.model = model};
    struct master_answer *answer = &rounding.answer;
    bool *has_choice;
    SCOPED(master_cuts_free) struct master_cuts none = {0};
    TRY(scratch_take_all(task->scratch, model->classes.count, error, &answer->arena, &answer->share,
                         &has_choice, &rounding.order));
    TRY(scratch_take(task->scratch, &answer->paid, model->edges, sizeof(bool), error));
    master_find_choices(model, has_choice, answer->arena);
    TRY(master_cuts_create(model, &none, error));
    TRY(master_solve(&none, has_choice, task->deadline_ns, answer, error));
    plan->status = answer->infeasible ? PLAN_INFEASIBLE : PLAN_GAVE_UP;
    plan->cost_bound = answer->bound;
    if (!answer->solved)
        return STATUS_OK;
    TRY(round_off(&rounding, plan, task->scratch, error));
    if (memory_plan_found(plan) && plan->cost <= plan->cost_bound)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

const struct memory_planner memory_planner_lp_rounding = {
    .name = "lp_rounding",
    .title = "the linear relaxation of loads; what it keeps whole is placed first",
    .source = "after Chakrabarti et al., Algorithmica 47, 2007",
    .flags = MEMORY_PLANNER_EXACT,
    .plan = plan_rounded};
