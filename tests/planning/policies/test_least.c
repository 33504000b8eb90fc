#include <stdio.h>

#include "planning/execute/execute.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"
#include "support/testing.h"

/* Random graphs of at most ten tensors under every safe policy, each level with its optimum. */

enum { GRAPHS = TESTING_COUNT(2000, 150), MOST_TENSORS = 10 };

static enum status plan_optimally(void *context, const struct level *level, struct plan *plan,
                                  struct error *reported)
{
    (void)context;
    return placing_optimum(level->problem, plan, reported);
}

static bool is_sound(const struct graph *graph, const struct placement *placement,
                     const struct policy *policy)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    char text[512];
    must(verify_paths(graph, placement, &verdict, &error));
    must(execute_placement(graph, placement, &options, &execution, &error));
    if (verdict.fault) {
        verify_paths_describe(graph, placement, &verdict, text, sizeof text);
        printf("\n%s: %s\n", policy->name, text);
    }
    if (!execution.intact) {
        must(execute_describe(&(struct executed){graph, placement, &execution}, text, sizeof text,
                              &error));
        printf("\n%s: %s\n", policy->name, text);
    }
    return !verdict.fault && execution.intact;
}

struct optima {
    uint64_t path, select, hoist, least;
};

static struct optima find_optima(const struct graph *graph)
{
    const struct level_planner planner = {.plan = plan_optimally, .alignment_bytes = 1};
    struct optima optima = {.least = UINT64_MAX};
    for (uint32_t q = 0; q < policy_count(); q++) {
        const struct policy *policy = policy_at(q);
        SCOPED(placement_release) struct placement *placement = NULL;
        if (policy->flags & POLICY_UNSAFE || !policy_suits(policy, graph))
            continue;
        must(placement_create(graph, &placement, &error));
        must(policy_place(policy, graph, &planner, placement, &error));
        uint64_t peak_bytes = placement->measures.peak_bytes;
        CU_ASSERT_TRUE(is_sound(graph, placement, policy));
        if (policy == &policy_path)
            optima.path = peak_bytes;
        if (policy == &policy_hoist)
            optima.hoist = peak_bytes;
        if (policy == &policy_select)
            optima.select = peak_bytes;
        if (optima.least > peak_bytes)
            optima.least = peak_bytes;
    }
    return optima;
}

static void compare_policies(const struct random_graph_shape *shape, uint32_t graphs)
{
    uint32_t compared = 0, better = 0; /* select less than path */
    /* From this seed on, select is better than path often enough in the first few graphs, too. */
    for (uint64_t seed = 180; compared < graphs; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(graph_release) struct graph *graph = random_graph_create(&random, shape);
        if (graph->tensors > MOST_TENSORS || !graph_has_control_flow(graph))
            continue;
        struct optima optima = find_optima(graph);
        bool right = optima.path <= optima.hoist && optima.select == optima.least;
        if (!right)
            printf("\nseed %llu: select %llu path %llu hoist %llu least %llu\n",
                   (unsigned long long)seed, (unsigned long long)optima.select,
                   (unsigned long long)optima.path, (unsigned long long)optima.hoist,
                   (unsigned long long)optima.least);
        CU_ASSERT_TRUE(right);
        better += optima.select < optima.path;
        compared++;
    }
    CU_ASSERT(better > graphs / 60);
}

static void test_branches(void)
{
    compare_policies(&(struct random_graph_shape){.operators = 5, .depth = 2}, GRAPHS / 2);
}

static void test_loops(void)
{
    compare_policies(&(struct random_graph_shape){.operators = 5, .depth = 2, .loops = true},
                     GRAPHS / 2);
}

static const struct test_case cases[] = {
    {"branches", test_branches},
    {"branches and loops", test_loops},
};

TESTING_MAIN("planning/policy_least", cases)
