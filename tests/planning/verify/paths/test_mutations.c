#include <stdio.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/lowering/level.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"
#include "support/testing.h"

/* Placements of every policy on random graphs, by a planner that draws its order, and then with
   some tensors moved elsewhere: verify_paths and execute_placement have to say the same of each.

   They may differ in two ways, both in loops only. A carried argument keeps its place through the
   whole loop for verify_paths, while execution misses it only where it is read. And choices in the
   body of a loop are not made in every order, so bodies have none here. */

enum { MUTANTS = 40, MOST_MOVED = 3, MOST_TENSORS = 64 };

struct checks {
    struct graph *graph;
    struct placement *placement;
    struct verdict verdict;
    struct execution execution;
    unsigned valid, invalid, tolerated;
};

static bool collides(const struct problem *problem, const struct plan *plan, uint32_t a, uint32_t b)
{
    return problem_lower(problem, a) < problem_upper(problem, b) &&
           problem_lower(problem, b) < problem_upper(problem, a) &&
           plan->offset[a] < plan->offset[b] + problem->size[b] &&
           plan->offset[b] < plan->offset[a] + problem->size[a];
}

static void place_lowest(const struct problem *problem, const uint32_t *order, uint32_t placed,
                         struct plan *plan)
{
    uint32_t b = order[placed];
    plan->offset[b] = 0;
    for (uint32_t i = 0; i < placed;)
        if (collides(problem, plan, b, order[i])) {
            plan->offset[b] = plan->offset[order[i]] + problem->size[order[i]];
            i = 0;
        } else {
            i++;
        }
}

static enum status plan_in_any_order(void *context, const struct level *level, struct plan *plan,
                                     struct error *failure)
{
    const struct problem *problem = level->problem;
    uint32_t order[MOST_TENSORS];
    (void)failure;
    CU_ASSERT_FATAL(problem->buffers <= MOST_TENSORS);
    for (uint32_t b = 0; b < problem->buffers; b++)
        order[b] = b;
    random_shuffle(context, order, problem->buffers);
    for (uint32_t b = 0; b < problem->buffers; b++)
        place_lowest(problem, order, b, plan);
    plan->status = PLAN_FEASIBLE;
    plan->measures.peak_bytes = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (plan->offset[b] + problem->size[b] > plan->measures.peak_bytes)
            plan->measures.peak_bytes = plan->offset[b] + problem->size[b];
    return STATUS_OK;
}

static bool is_argument(const struct graph *graph, uint32_t tensor)
{
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (graph->carried[c].argument == tensor)
            return true;
    return false;
}

static bool agree(struct checks *checks)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict *verdict = &checks->verdict;
    must(verify_paths(checks->graph, checks->placement, verdict, &error));
    must(execute_placement(checks->graph, checks->placement, &options, &checks->execution, &error));
    if ((verdict->fault == VERIFY_VALID) == checks->execution.intact)
        return true;
    bool held = verdict->fault && (is_argument(checks->graph, verdict->first) ||
                                   is_argument(checks->graph, verdict->second));
    checks->tolerated += held;
    return held || (verdict->fault && !checks->execution.all_paths);
}

static void print_disagreement(const struct checks *checks)
{
    char text[512];
    for (uint32_t t = 0; t < checks->graph->tensors; t++)
        if (checks->placement->offset[t] != PROBLEM_FREE)
            printf("\n%s of %llu bytes at %llu", names_get(&checks->graph->tensor_names, t),
                   (unsigned long long)checks->graph->tensor[t].bytes,
                   (unsigned long long)checks->placement->offset[t]);
    verify_paths_describe(checks->graph, checks->placement, &checks->verdict, text, sizeof text);
    printf("\nverify: %s", text);
    must(execute_describe(&(struct executed){checks->graph, checks->placement, &checks->execution},
                          text, sizeof text, &error));
    printf("\nexecute: %s\n", text);
}

/* Moves tensors back for as long as the checks still disagree. */
static void shrink(struct checks *checks, const uint64_t *valid_offset)
{
    uint64_t *offset = checks->placement->offset;
    for (uint32_t t = 0; t < checks->graph->tensors; t++) {
        uint64_t moved = offset[t];
        offset[t] = valid_offset[t];
        if (moved != valid_offset[t] && agree(checks))
            offset[t] = moved;
    }
    agree(checks);
}

static void mutate(struct checks *checks, struct random_state *random)
{
    uint64_t *offset = checks->placement->offset;
    uint32_t tensors = checks->graph->tensors;
    for (uint64_t moves = 1 + random_below(random, MOST_MOVED); moves > 0; moves--) {
        uint32_t t = (uint32_t)random_below(random, tensors);
        uint32_t other = (uint32_t)random_below(random, tensors);
        if (offset[t] == PROBLEM_FREE)
            continue;
        if (random_below(random, 2) && offset[other] != PROBLEM_FREE)
            offset[t] = offset[other];
        else
            offset[t] = random_below(random, 12);
    }
}

static void compare_mutants(struct checks *checks, struct random_state *random)
{
    uint64_t valid_offset[MOST_TENSORS];
    const size_t bytes = checks->graph->tensors * sizeof *valid_offset;
    CU_ASSERT_FATAL(checks->graph->tensors <= MOST_TENSORS);
    memcpy(valid_offset, checks->placement->offset, bytes);
    for (int i = 0; i < MUTANTS; i++) {
        if (i > 0)
            mutate(checks, random);
        if (!agree(checks)) {
            shrink(checks, valid_offset);
            print_disagreement(checks);
            CU_FAIL("the checks disagree");
        }
        checks->valid += !checks->verdict.fault;
        checks->invalid += checks->verdict.fault == VERIFY_OVERLAP;
        memcpy(checks->placement->offset, valid_offset, bytes);
    }
}

static void test_policies(void)
{
    static const struct {
        struct random_graph_shape shape;
        uint64_t seeds;
    } rows[] = {{{.operators = 10, .depth = 3}, TESTING_COUNT(150, 50)},
                {{.operators = 9, .depth = 2, .loops = true, .plain_bodies = true},
                 TESTING_COUNT(100, 35)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct checks checks = {0};
        uint64_t placements = rows[i].seeds * policy_count();
        for (uint64_t seed = 0; seed < rows[i].seeds; seed++) {
            struct random_state random = random_seed(seed);
            const struct level_planner planner = {
                .plan = plan_in_any_order, .context = &random, .alignment_bytes = 1};
            checks.graph = random_graph_create(&random, &rows[i].shape);
            for (uint32_t p = 0; p < policy_count(); p++) {
                must(placement_create(checks.graph, &checks.placement, &error));
                must(policy_place(policy_at(p), checks.graph, &planner, checks.placement, &error));
                checks.placement->measures.peak_bytes = UINT64_MAX;
                compare_mutants(&checks, &random);
                placement_free(checks.placement);
            }
            graph_free(checks.graph);
        }
        CU_ASSERT(checks.valid > placements);
        CU_ASSERT(checks.invalid > placements);
        CU_ASSERT(checks.tolerated < checks.invalid / 4);
        CU_ASSERT(rows[i].shape.loops || !checks.tolerated);
    }
}

static const struct test_case cases[] = {
    {"branches, and loops with plain bodies", test_policies},
};

TESTING_MAIN("planning/mutations", cases)
