#include "core/memory.h"
#include "heuristics/heuristics.h"
#include "heuristics/pools/reference.h"
#include "planning/verify/problem/plan.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

/* The eight tensors of Pisarchyk and Lee's example. */
static const struct made_buffer eight[] = {{0, 2, 32}, {1, 5, 28}, {2, 6, 36}, {3, 6, 16},
                                           {4, 6, 8},  {5, 8, 64}, {6, 9, 10}, {7, 9, 40}};
static const struct made_buffer equal[] = {{0, 1, 4}, {0, 2, 4}, {2, 3, 4}, {2, 3, 5}, {2, 3, 4}};
static const struct made_buffer nnvm[] = {
    {0, 1, 16}, {0, 1, 30}, {1, 2, 20}, {1, 2, 20}, {1, 2, 7}};
static const struct made_buffer pair[] = {{0, 2, 10}, {0, 2, 9}};
static const struct made_buffer beside[] = {{0, 1, 64}, {2, 4, 16}, {2, 4, 40}, {2, 4, 32}};
static const struct made_buffer traced[] = {
    {0, 9, 10}, {0, 1, 200}, {0, 9, 300}, {1, 3, 256}, {2, 3, 1}};
static const struct made_buffer meeting[] = {{0, 2, 4}, {1, 3, 4}};

static const struct reference_example examples[] = {
    /* 2 takes over 0, which grows to 36; 5 finds 1's object; 6 chooses 16 (of 36, 16, 8), and 7
       takes 36 (of 36 and 8), which grows. */
    {"objects_greedy_in_order", eight, 8, {0, 40, 0, 104, 120, 40, 120, 0}, 40 + 64 + 16 + 10, 4},
    {"objects_equality", equal, 5, {0, 4, 4, 8, 0}, 13, 3},
    /* 64, 40 beside it, 36 with 40, 32 with 64; 28, 16 and 8 live with 36 and each other, 10 with
       28. */
    {"objects_greedy_by_size",
     eight,
     8,
     {0, 104, 64, 132, 148, 0, 104, 64},
     64 + 40 + 28 + 16 + 8,
     5},
    /* The free list by hand: 16 bytes for 20 within a factor of 2, the larger first. */
    {"nnvm?match_range=2", nnvm, 5, {0, 20, 20, 0, 50}, 57, 3},
    {"nnvm?match_range=1", nnvm, 5, {0, 16, 46, 66, 86}, 93, 5},
    {"nnvm?match_range=0", nnvm, 5, {0, 16, 46, 66, 86}, 93, 5},
    {"nnvm?match_range=4&auto_search=1", nnvm, 5, {0, 20, 20, 0, 50}, 57, 3},
    /* 16 and then 10 go to the pool of 32, the first that is free; 36, 64 and 40 are larger than
       what is free. */
    {"ge_pool", eight, 8, {0, 32, 60, 0, 96, 104, 0, 168}, 32 + 28 + 36 + 8 + 64 + 40, 6},
    {"ge_pool", meeting, 2, {0, 4}, 8, 2},
    /* Of equals the later first, by rounded sizes; what is live together goes above each other
       where the object is large enough. */
    {"executorch_greedy", pair, 2, {16, 0}, 32, 2},
    {"executorch_greedy?alignment=1", pair, 2, {0, 10}, 19, 2},
    {"executorch_greedy?alignment=8", beside, 4, {0, 40, 0, 64}, 96, 2},
    {"executorch_greedy?alignment=8&overlap=0", beside, 4, {0, 96, 0, 64}, 112, 3},
    /* b leaves a gap of 256 that d fills; e does not fit there and goes on top. */
    {"ort_memory_pattern", traced, 5, {0, 256, 512, 256, 1024}, 767, 5},
};

static void test_examples(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        reference_expect(&examples[i]);
}

/* With <= the second tensor may be where the first still is. */
static void test_ge_pool_published(void)
{
    struct problem *problem = made_problem(meeting, 2);
    struct plan *plan = rule_test_run("ge_pool_published", problem);
    struct verdict verdict;
    verify_plan_pairwise(problem, plan, &verdict);
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_OVERLAP);
    plan_free(plan);
    problem_free(problem);
}

enum { PROBLEMS = TESTING_COUNT(10000, 2500) };

static struct problem *draw_problem(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    const struct random_problem kind = {.most_buffers = 14,
                                        .steps = 12,
                                        .most_size = seed % 7 ? 9 : 40,
                                        .holes = seed % 2,
                                        .windows = seed % 5 == 1,
                                        .alignment = seed % 3 == 0,
                                        .fixed = seed % 4 == 0};
    return random_problem_create(&kind, &random);
}

static void compare_in_order(const struct problem *problem, uint64_t seed)
{
    static const struct {
        const char *name;
        reference_choice *choose;
        uint64_t parameter;
        bool early;
    } rules[] = {
        {"objects_equality", reference_newest_equal, 0, false},
        {"ort", reference_newest_equal, 0, false},
        {"objects_greedy_in_order", reference_closest, 0, false},
        {"nnvm", reference_nnvm, 16, false},
        {"relay", reference_nnvm, 16, false},
        {"nnvm?match_range=3", reference_nnvm, 3, false},
        {"nnvm?match_range=1", reference_nnvm, 1, false},
        {"nnvm?match_range=0", reference_nnvm, 0, false},
        {"ge_pool", reference_first_enough, 0, false},
        {"ge_pool_published", reference_first_enough, 0, true},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct reference reference = reference_in_order(
            problem, problem->size, rules[i].choose, rules[i].parameter, rules[i].early);
        reference_compare(rules[i].name, &reference, 1, seed);
    }
}

static void compare_out_of_order(const struct problem *problem, uint64_t seed)
{
    struct reference reference = reference_by_size(problem);
    reference_compare("objects_greedy_by_size", &reference, 1, seed);
    reference = reference_by_breadth(problem);
    reference_compare("objects_greedy_by_breadth", &reference, 1, seed);
    reference = reference_by_distance(problem);
    reference_compare("objects_greedy_by_size_improved", &reference, 1, seed);
    reference = reference_executorch(problem, 4, true);
    reference_compare("executorch_greedy?alignment=4", &reference, 4, seed);
    reference = reference_executorch(problem, 1, false);
    reference_compare("executorch_greedy?alignment=1&overlap=0", &reference, 1, seed);
}

static void test_against_reference(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct problem *problem = draw_problem(seed);
        if (planned_can_be(problem)) {
            compare_in_order(problem, seed);
            compare_out_of_order(problem, seed);
        }
        problem_free(problem);
    }
}

/* The least sum of growth over all ways to hand objects on. */
static uint64_t find_least_cost(const struct problem *problem, uint32_t buffer, uint32_t handed_on)
{
    if (buffer == problem->buffers)
        return 0;
    uint64_t need = problem->size[buffer];
    uint64_t least = need + find_least_cost(problem, buffer + 1, handed_on);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (handed_on >> b & 1 || problem_upper(problem, b) > problem_lower(problem, buffer))
            continue;
        uint64_t growth = need > problem->size[b] ? need - problem->size[b] : 0;
        uint64_t cost = growth + find_least_cost(problem, buffer + 1, handed_on | UINT32_C(1) << b);
        least = cost < least ? cost : least;
    }
    return least;
}

/* What the plan's chains cost: buffers of one object are those at one offset. */
static uint64_t find_cost(const struct problem *problem, const struct plan *plan)
{
    uint64_t cost = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t before = problem->buffers;
        for (uint32_t c = 0; c < problem->buffers; c++)
            if (plan->offset[c] == plan->offset[b] &&
                problem_lower(problem, c) < problem_lower(problem, b) &&
                (before == problem->buffers ||
                 problem_lower(problem, c) > problem_lower(problem, before)))
                before = c;
        uint64_t have = before == problem->buffers ? 0 : problem->size[before];
        cost += problem->size[b] > have ? problem->size[b] - have : 0;
    }
    return cost;
}

static void test_min_cost_flow(void)
{
    static const struct random_problem kind = {
        .most_buffers = 7, .steps = 9, .most_size = 20, .holes = true};
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct problem *problem = rule_test_draw(&kind, seed);
        struct plan *plan = rule_test_run("objects_min_cost_flow", problem);
        CU_ASSERT_EQUAL_FATAL(find_cost(problem, plan), find_least_cost(problem, 0, 0));
        plan_free(plan);
        problem_free(problem);
    }
}

/* Gaps between live blocks, step by step. */
static void trace_pattern(const struct problem *problem, uint64_t unit, uint64_t *offset)
{
    for (uint32_t step = 0; step < problem_steps(problem); step++)
        for (uint32_t b = 0; b < problem->buffers; b++) {
            uint64_t size = (problem->size[b] + unit - 1) / unit * unit, best = 0,
                     waste = UINT64_MAX;
            uint64_t top = 0;
            if (problem_lower(problem, b) != step)
                continue;
            for (uint32_t c = 0; c < problem->buffers; c++)
                if (offset[c] != UINT64_MAX && problem_upper(problem, c) > step &&
                    offset[c] + (problem->size[c] + unit - 1) / unit * unit > top)
                    top = offset[c] + (problem->size[c] + unit - 1) / unit * unit;
            for (uint64_t at = 0; at + size <= top; at += unit) {
                uint64_t next = UINT64_MAX;
                bool below = at == 0;
                for (uint32_t c = 0; c < problem->buffers; c++) {
                    if (offset[c] == UINT64_MAX || problem_upper(problem, c) <= step)
                        continue;
                    uint64_t end = offset[c] + (problem->size[c] + unit - 1) / unit * unit;
                    below = below || end == at;
                    if (end > at && offset[c] < next)
                        next = offset[c];
                }
                if (below && next >= at + size && next - at - size < waste) {
                    waste = next - at - size;
                    best = at;
                }
            }
            offset[b] = waste == UINT64_MAX ? top : best;
        }
}

static void test_pattern_against_reference(void)
{
    static const struct random_problem kind = {
        .most_buffers = 14, .steps = 12, .most_size = 40, .holes = true, .windows = true};
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct problem *problem = rule_test_draw(&kind, seed);
        struct plan *plan = rule_test_run("ort_memory_pattern?alignment=4&reuse=0", problem);
        uint64_t offset[REFERENCE_MOST];
        for (uint32_t b = 0; b < problem->buffers; b++)
            offset[b] = UINT64_MAX;
        trace_pattern(problem, 4, offset);
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_EQUAL_FATAL(plan->offset[b], offset[b]);
        plan_free(plan);
        problem_free(problem);
    }
}

static bool is_pool_planner(const struct planner *planner)
{
    return planner->flags & PLANNER_POOLED && !(planner->flags & PLANNER_UNSAFE);
}

/* Everything that a problem may have, and all rows with their initial settings and others. */
static void test_all_plans_are_valid(void)
{
    static const char *const settings[] = {"nnvm?colours=3&auto_search=1&numel=0",
                                           "ge_block?memory_priority=1&alignment=1",
                                           "ge_block_max?alignment=3",
                                           "executorch_greedy?alignment=3",
                                           "ort_memory_pattern?reuse=0",
                                           "ort_memory_pattern?alignment=1"};
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct problem *problem = draw_problem(seed * 4);
        uint32_t rows = planned_can_be(problem) ? heuristics_count() + 6 : 0;
        for (uint32_t i = 0; i < rows; i++) {
            if (i < 6)
                plan_free(rule_test_run(settings[i], problem));
            else if (is_pool_planner(heuristics_at(i - 6)))
                plan_free(rule_test_run(heuristics_at(i - 6)->name, problem));
        }
        problem_free(problem);
    }
}

static void fail_each_allocation(const char *name, const struct problem *problem)
{
    const struct planner_task task = planned_task(problem);
    struct planner *planner = rule_test_configure(name);
    planned_fail_each(planner, &task);
    planner_free(planner);
}

static void test_allocations(void)
{
    struct problem *problem = draw_problem(7);
    for (uint32_t i = 0; i < heuristics_count(); i++)
        if (heuristics_at(i)->flags & PLANNER_POOLED)
            fail_each_allocation(heuristics_at(i)->name, problem);
    fail_each_allocation("ge_block?memory_priority=1", problem);
    fail_each_allocation("nnvm?auto_search=1", problem);
    problem_free(problem);
}

/* Sizes and alignments that no layout can hold are refused, not overflowed. */
static void test_refuses_what_cannot_be_laid_out(void)
{
    struct problem *problem;
    must(problem_create(&problem, "huge", &error));
    const struct problem_buffer buffers[] = {{"a", 4, (UINT64_C(1) << 41) + 1, PROBLEM_FREE, -1},
                                             {"b", 4, UINT64_C(1) << 41, PROBLEM_FREE, -1}};
    for (uint32_t i = 0; i < 2; i++) {
        must(problem_add_buffer(problem, &buffers[i], &error));
        must(problem_add_segment(problem, (struct problem_segment){i, i + 1, 0, 4}, &error));
    }
    must(problem_finish(problem, &error));
    for (uint32_t i = 0; i < heuristics_count(); i++) {
        const struct planner_task task = planned_task(problem);
        if (!is_pool_planner(heuristics_at(i)))
            continue;
        struct plan *plan = planned(heuristics_at(i), &task);
        CU_ASSERT_EQUAL(plan->status, PLAN_UNSUPPORTED);
        plan_free(plan);
    }
    problem_free(problem);
}

/* No buffer at all, or only fixed ones. */
static void test_nothing_to_plan(void)
{
    struct problem *problem;
    must(problem_create(&problem, "fixed", &error));
    for (int fixed = 0; fixed < 2; fixed++) {
        const struct problem_buffer buffer = {"a", 4, 1, 3, -1};
        must(problem_finish(problem, &error));
        for (uint32_t i = 0; i < heuristics_count(); i++) {
            if (!(heuristics_at(i)->flags & PLANNER_POOLED))
                continue;
            struct plan *plan = rule_test_run(heuristics_at(i)->name, problem);
            CU_ASSERT_EQUAL(plan->measures.peak_bytes, fixed ? 7 : 0);
            CU_ASSERT_EQUAL(plan->measures.pools, 0);
            plan_free(plan);
        }
        must(problem_add_buffer(problem, &buffer, &error));
        must(problem_add_segment(problem, (struct problem_segment){0, 1, 0, 4}, &error));
    }
    problem_free(problem);
}

static const struct test_case cases[] = {
    {"examples by hand", test_examples},
    {"GE pool as published is unsafe", test_ge_pool_published},
    {"every rule against a plain one", test_against_reference},
    {"min cost flow against all choices", test_min_cost_flow},
    {"memory pattern against a plain one", test_pattern_against_reference},
    {"every plan is valid", test_all_plans_are_valid},
    {"every allocation fails once", test_allocations},
    {"what cannot be laid out is refused", test_refuses_what_cannot_be_laid_out},
    {"nothing to plan", test_nothing_to_plan},
};

TESTING_MAIN("heuristics/pools", cases)
