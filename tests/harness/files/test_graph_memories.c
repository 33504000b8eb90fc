#include "harness/files/graph_memories.h"

#include "core/clock.h"
#include "core/random.h"
#include "harness/catalogue/planners.h"
#include "harness/memories/memory_planners.h"
#include "planning/execute/execute.h"
#include "planning/execute/memories.h"
#include "planning/memories/model.h"
#include "planning/policies/policy.h"
#include "planning/verify/memories/graph.h"
#include "support/fail_each.h"
#include "support/must.h"

/* A network in the memories of a chip. Random graphs are held against all plans by
   tests/oracles/graph_memories.py. */

struct planned {
    struct instance *instance;
    struct job job;
    struct graph_memories graph;
    struct memory_plan *plan;
};

static void clear(struct planned *planned)
{
    memory_plan_free(planned->plan);
    graph_memories_clear(&planned->graph);
    instance_free(planned->instance);
}

static enum status plan_network(const char *name, struct planned *planned, struct error *failure)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    const struct memory_planner *planner = memory_planner_find("best_density");
    TRY(instance_load(name, NULL, &planned->instance, failure));
    planned->job = job_make(planned->instance, &policy_flat, NULL);
    TRY(graph_memories_create(&planned->job, "gap8", &planned->graph, failure));
    const struct memory_problem *problem = planned->graph.file.problem;
    TRY(memory_model_create(problem, &model, failure));
    TRY(memory_plan_create(problem, &planned->plan, failure));
    const struct memory_task task = {
        .model = model, .deadline_ns = UINT64_MAX, .exact = planners_find("exact")};
    TRY(memory_planner_plan(planner, &task, planned->plan, failure));
    return graph_memories_take(&planned->graph, planned->plan, failure);
}

static void check(const struct planned *planned, bool *valid, bool *intact, uint64_t *cost)
{
    const struct graph *graph = planned->instance->graph;
    const struct memory_problem *memories = planned->graph.file.problem;
    const struct placement *placement = planned->graph.outcome.placement;
    const struct memory_rules rules = {memories, 0};
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct memory_verdict verdict;
    struct execution execution;
    bool sampled;
    must(verify_graph_memories(graph, &rules, placement, &sampled, &verdict, &error));
    must(execute_memories(graph, memories, 0, placement, &options, &execution, &error));
    *valid = verdict.valid && !sampled;
    *intact = execution.intact;
    *cost = verdict.cost;
}

/* Whether buffer b of the plan keeps the rules and shares no byte with another that is live. */
static bool is_safe(const struct memory_problem *problem, const struct memory_plan *plan,
                    uint32_t b)
{
    const struct problem *plain = problem->problem;
    const struct memory *memory = &problem->memory[plan->memory[b]];
    bool safe = plan->offset[b] + plain->size[b] <= memory->capacity_bytes &&
                plan->offset[b] % memory->alignment == 0 &&
                plan->offset[b] % problem_alignment(plain, b) == 0;
    for (uint32_t a = 0; a < plan->buffers; a++)
        safe &= a == b || plan->memory[a] != plan->memory[b] ||
                plan->offset[a] + plain->size[a] <= plan->offset[b] ||
                plan->offset[b] + plain->size[b] <= plan->offset[a] ||
                plain->upper[a] <= plain->lower[b] || plain->upper[b] <= plain->lower[a];
    return safe;
}

/* Of 1000 plans with a buffer put elsewhere both checks refuse exactly those that are unsafe. */
static void test_altered(void)
{
    SCOPED(clear) struct planned planned = {.instance = NULL};
    struct random_state random = random_seed(3);
    bool valid, intact;
    uint64_t cost;
    must(plan_network("zoo/blazeface", &planned, &error));
    check(&planned, &valid, &intact, &cost);
    CU_ASSERT_TRUE(valid && intact && planned.graph.is_exact);
    CU_ASSERT_EQUAL(cost, planned.plan->cost);
    struct memory_plan *plan = planned.plan;
    uint32_t unsafe = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t b = (uint32_t)random_below(&random, plan->buffers), memory = plan->memory[b];
        uint64_t offset = plan->offset[b];
        plan->memory[b] = (uint32_t)random_below(&random, plan->memories);
        plan->offset[b] = random_below(&random, 200000) * (random_below(&random, 9) ? 4 : 2);
        bool safe = is_safe(planned.graph.file.problem, plan, b);
        must(graph_memories_take(&planned.graph, plan, &error));
        check(&planned, &valid, &intact, &cost);
        CU_ASSERT_EQUAL(valid, safe);
        CU_ASSERT_EQUAL(intact, safe);
        unsafe += !safe;
        plan->memory[b] = memory;
        plan->offset[b] = offset;
    }
    CU_ASSERT_TRUE(unsafe > 200 && unsafe < 990);
}

static enum status plan_once(const void *input, struct error *failure)
{
    SCOPED(clear) struct planned planned = {.instance = NULL};
    return plan_network(input, &planned, failure);
}

static void test_allocations(void)
{
    fail_each(plan_once, "zoo/alexnet");
}

static const struct test_case cases[] = {
    {"altered plans", test_altered},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("harness/graph_memories", cases)
