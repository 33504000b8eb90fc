#include <stdio.h>

#include "planning/graph/build.h"
#include "planning/lowering/level.h"
#include "planning/policies/policy.h"
#include "planning/problem/bounds.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/sections.h"
#include "planning/verify/problem/fixed.h"
#include "planning/verify/problem/plan.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

enum { BUFFERS = 40 };

static enum status fill_problem(struct problem *problem, struct error *found)
{
    for (uint32_t b = 0; b < BUFFERS; b++) {
        char name[16];
        const struct problem_buffer buffer = {name, 1 + b % 7, 1, PROBLEM_FREE, -1};
        snprintf(name, sizeof name, "b%u", b);
        TRY(problem_add_buffer(problem, &buffer, found));
        TRY(problem_add_segment(problem, (struct problem_segment){b % 5, b % 5 + 2, 0, 1}, found));
        TRY(problem_add_segment(
            problem, (struct problem_segment){b % 5 + 3, b % 5 + 4, 0, 1 + b % 7}, found));
    }
    return problem_finish(problem, found);
}

static enum status build_problem(const void *input, struct error *found)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    (void)input;
    TRY(problem_create(&problem, "test", found));
    return fill_problem(problem, found);
}

static enum status build_empty_problem(const void *input, struct error *found)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    (void)input;
    TRY(problem_create(&problem, "test", found));
    return problem_finish(problem, found);
}

static void test_building_problems(void)
{
    fail_each(build_problem, NULL);
    fail_each(build_empty_problem, NULL);
}

static enum status measure_load(const void *problem, struct error *found)
{
    uint64_t load;
    return problem_load(problem, &load, NULL, found);
}

static enum status make_sections(const void *problem, struct error *found)
{
    SCOPED(sections_release) struct sections *sections = NULL;
    return sections_create(problem, &sections, found);
}

static enum status make_conflicts(const void *problem, struct error *found)
{
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    return conflicts_create(problem, &conflicts, found);
}

static enum status make_plan(const void *problem, struct error *found)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    return plan_create(problem, &plan, found);
}

static enum status check_fixed(const void *problem, struct error *found)
{
    struct verdict verdict;
    return verify_fixed(problem, &verdict, found);
}

static void test_problems(void)
{
    static fail_each_work *const works[] = {measure_load, make_sections, make_conflicts, make_plan,
                                            check_fixed};
    const struct random_problem kind = {.most_buffers = 30,
                                        .steps = 12,
                                        .most_size = 9,
                                        .holes = true,
                                        .windows = true,
                                        .fixed = true};
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        for (size_t i = 0; i < sizeof works / sizeof *works; i++)
            fail_each(works[i], problem);
    }
}

enum { IMAGE, CHOICE, LEFT, MIDDLE, RIGHT, RESULT, ARGUMENT, NEXT, LOOPED, LAST, TENSORS };

static enum status add_operator(struct graph *graph, const char *name, uint32_t input,
                                uint32_t output, struct error *found)
{
    uint32_t opened;
    TRY(graph_open_operator(graph, name, "Any", &opened, found));
    TRY(graph_operator_inputs(graph, &input, 1, found));
    TRY(graph_operator_outputs(graph, &output, 1, found));
    TRY(graph_operator_weight(graph, name, 0, 4, found));
    return graph_operator_inplace(graph, (const uint32_t[]){0, 0}, 1, found);
}

static enum status add_plain(struct graph *graph, const char *name, uint32_t input, uint32_t output,
                             struct error *found)
{
    TRY(add_operator(graph, name, input, output, found));
    graph_close_operator(graph);
    return STATUS_OK;
}

/* choose { left, middle } { right } -> result */
static enum status add_branches(struct graph *graph, struct error *found)
{
    static const uint32_t yields[] = {MIDDLE, RIGHT};
    TRY(add_operator(graph, "choose", CHOICE, RESULT, found));
    TRY(graph_open_region(graph, "then", -1, found));
    TRY(add_plain(graph, "left", IMAGE, LEFT, found));
    TRY(add_plain(graph, "middle", LEFT, MIDDLE, found));
    TRY(graph_close_region(graph, yields, 1, found));
    TRY(graph_open_region(graph, "else", -1, found));
    TRY(add_plain(graph, "right", IMAGE, RIGHT, found));
    TRY(graph_close_region(graph, yields + 1, 1, found));
    graph_close_operator(graph);
    return STATUS_OK;
}

static enum status add_loop(struct graph *graph, struct error *found)
{
    static const struct graph_carried carried = {RESULT, ARGUMENT, NEXT, LOOPED};
    TRY(add_operator(graph, "loop", RESULT, LOOPED, found));
    graph->op[graph->building->open_operator].loop = true;
    TRY(graph_operator_carried(graph, &carried, found));
    TRY(graph_open_region(graph, "body", -1, found));
    TRY(add_plain(graph, "turn", ARGUMENT, NEXT, found));
    TRY(graph_close_region(graph, NULL, 0, found));
    graph_close_operator(graph);
    return STATUS_OK;
}

static enum status fill_graph(struct graph *graph, struct error *found)
{
    static const uint32_t inputs[] = {IMAGE, CHOICE}, outputs[] = {LAST};
    static const uint64_t shape[] = {2, 3};
    for (uint32_t t = 0; t < TENSORS; t++) {
        char name[16];
        uint32_t added;
        snprintf(name, sizeof name, "tensor%u", t);
        TRY(graph_add_tensor(
            graph,
            &(struct graph_tensor_spec){
                .name = name, .has_shape = true, .dtype = 0, .dimensions = shape, .rank = 2},
            &added, found));
    }
    TRY(graph_set_inputs(graph, inputs, 2, found));
    TRY(add_branches(graph, found));
    TRY(add_loop(graph, found));
    TRY(add_plain(graph, "last", LOOPED, LAST, found));
    return graph_finish(graph, outputs, 1, NULL, found);
}

static enum status build_graph(const void *input, struct error *found)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    (void)input;
    TRY(graph_create(&graph, "test", found));
    return fill_graph(graph, found);
}

static void test_building_graphs(void)
{
    fail_each(build_graph, NULL);
}

static enum status make_liveness(const void *graph, struct error *found)
{
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    return liveness_create(graph, &liveness, found);
}

static enum status make_placement(const void *graph, struct error *found)
{
    SCOPED(placement_release) struct placement *placement = NULL;
    return placement_create(graph, &placement, found);
}

/* Levels of a graph whose liveness is there already. */
struct levels {
    const struct graph *graph;
    struct liveness *liveness;
    uint64_t block_bytes[16];
};

static enum status make_flat_level(const void *input, struct error *found)
{
    const struct levels *levels = input;
    SCOPED(level_release) struct level *level = NULL;
    return level_create_flat(&(struct level_source){levels->graph, levels->liveness, 1}, &level,
                             found);
}

static enum status make_region_levels(const void *input, struct error *found)
{
    const struct levels *levels = input;
    for (uint32_t r = 0; r < levels->graph->regions; r++) {
        SCOPED(level_release) struct level *level = NULL;
        TRY(level_create_region(&(struct level_source){levels->graph, levels->liveness, 1}, r,
                                levels->block_bytes, &level, found));
    }
    return STATUS_OK;
}

/* Like a heuristic: needs the conflicts, then places each buffer above all it conflicts with. */
static enum status plan_on_top(void *context, const struct level *level, struct plan *plan,
                               struct error *found)
{
    const struct problem *problem = level->problem;
    struct conflicts *conflicts;
    (void)context;
    TRY(conflicts_create(problem, &conflicts, found));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        plan->offset[b] = 0;
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            if (other < b && plan->offset[b] < plan->offset[other] + problem->size[other])
                plan->offset[b] = plan->offset[other] + problem->size[other];
        }
    }
    conflicts_free(conflicts);
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, problem, found);
}

/* A policy and the graph it places. */
struct placing {
    const struct policy *policy;
    const struct graph *graph;
};

static enum status place_graph(const void *input, struct error *found)
{
    const struct placing *placing = input;
    const struct level_planner planner = {.plan = plan_on_top, .alignment_bytes = 1};
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(placement_create(placing->graph, &placement, found));
    TRY(placing->policy->place(placing->policy, placing->graph, &planner, placement, found));
    CU_ASSERT_TRUE(placement->measures.peak_bytes > 0);
    return STATUS_OK;
}

static void test_graphs(void)
{
    struct levels levels = {.block_bytes = {9}};
    SCOPED(graph_release) struct graph *graph = NULL;
    must(graph_create(&graph, "test", &error));
    must(fill_graph(graph, &error));
    levels.graph = graph;
    must(liveness_create(graph, &levels.liveness, &error));
    fail_each(make_liveness, graph);
    fail_each(make_placement, graph);
    fail_each(make_flat_level, &levels);
    fail_each(make_region_levels, &levels);
    for (uint32_t q = 0; q < policy_count(); q++)
        fail_each(place_graph, &(struct placing){policy_at(q), graph});
    liveness_free(levels.liveness);
}

static const struct test_case cases[] = {
    {"building problems", test_building_problems},
    {"sections, conflicts and the like", test_problems},
    {"building graphs", test_building_graphs},
    {"liveness, levels and policies", test_graphs},
};

TESTING_MAIN("planning/allocations", cases)
