#include <string.h>

#include "core/memory.h"
#include "heuristics/heuristics.h"
#include "heuristics/ours/dive.h"
#include "heuristics/ours/portfolio.h"
#include "planning/problem/conflicts.h"
#include "rule_test.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

static struct scratch scratch;

static struct plan *run_from(const char *name, const struct problem *problem,
                             const struct plan *start, uint64_t time_limit_ns, uint32_t threads)
{
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = time_limit_ns,
                                      .seed = 7,
                                      .start = start,
                                      .threads = threads};
    struct planner *planner = rule_test_configure(name);
    struct plan *plan = planned(planner, &task);
    planner_free(planner);
    return plan;
}

static struct plan *run(const char *name, const struct problem *problem, uint64_t time_limit_ns,
                        uint32_t threads)
{
    return run_from(name, problem, NULL, time_limit_ns, threads);
}

static void expect_valid(const struct problem *problem, const struct plan *plan)
{
    CU_ASSERT_TRUE(plan_found(plan));
    CU_ASSERT_TRUE(planned_is_valid(problem, plan));
}

static void test_valid(void)
{
    for (uint64_t seed = 0; seed < TESTING_COUNT(1000, 150); seed++) {
        struct problem *problem = rule_test_draw(&rule_test_everything, seed);
        if (planned_can_be(problem)) {
            struct plan *descent = run("descent?turns=30", problem, UINT64_MAX, 1);
            struct plan *portfolio = run("portfolio?descents=0", problem, UINT64_MAX, 1);
            struct plan *lower = run_from("descent?turns=3", problem, portfolio, UINT64_MAX, 1);
            expect_valid(problem, descent);
            expect_valid(problem, portfolio);
            expect_valid(problem, lower);
            CU_ASSERT_TRUE(problem_is_by_clocks(problem) ||
                           lower->measures.peak_bytes <= portfolio->measures.peak_bytes);
            plan_free(lower);
            plan_free(descent);
            plan_free(portfolio);
        }
        problem_free(problem);
    }
}

/* Small enough that the search comes to a plan that no order beats. */
static void test_reaches_the_optimum(void)
{
    static const struct random_problem kind = {.most_buffers = 7, .steps = 8, .most_size = 20};
    unsigned missed = 0;
    for (uint64_t seed = 0; seed < TESTING_COUNT(300, 50); seed++) {
        struct problem *problem = rule_test_draw(&kind, seed);
        struct plan *plan = run("descent?turns=500", problem, UINT64_MAX, 1);
        uint64_t least = every_order_peak(problem);
        CU_ASSERT_TRUE(plan->measures.peak_bytes >= least);
        missed += plan->measures.peak_bytes > least;
        plan_free(plan);
        problem_free(problem);
    }
    CU_ASSERT_EQUAL(missed, 0);
}

static void test_same_for_a_seed(void)
{
    static const struct random_problem kind = {.most_buffers = 150, .steps = 60, .most_size = 500};
    static const char *const planners[] = {"descent?turns=200", "portfolio?descents=0"};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct problem *problem = rule_test_draw(&kind, seed / 2);
        const char *planner = planners[seed % 2];
        struct plan *once = run(planner, problem, UINT64_MAX, 1);
        struct plan *again = run(planner, problem, UINT64_MAX, 1 + (uint32_t)(seed % 2));
        CU_ASSERT_EQUAL(once->measures.peak_bytes, again->measures.peak_bytes);
        CU_ASSERT_EQUAL(
            memcmp(once->offset, again->offset, problem->buffers * sizeof *once->offset), 0);
        plan_free(once);
        plan_free(again);
        problem_free(problem);
    }
}

/* However short the time, there is a plan; and never one above the quick rules'. */
static void test_limits(void)
{
    static const struct random_problem kind = {.most_buffers = 60, .steps = 40, .most_size = 500};
    struct problem *problem = rule_test_draw(&kind, 3);
    struct plan *best = run("portfolio?descents=0", problem, UINT64_MAX, 1);
    const char *const hurried[] = {"descent", "portfolio"};
    for (int i = 0; i < 2; i++) {
        struct plan *plan = run(hurried[i], problem, 0, 1);
        expect_valid(problem, plan);
        plan_free(plan);
    }
    const struct portfolio_rule *rule = heuristics_find("portfolio")->rule;
    for (uint32_t i = 0; i < rule->quick_count; i++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(heuristics_find(rule->quick[i]));
        struct plan *plan = run(rule->quick[i], problem, UINT64_MAX, 1);
        CU_ASSERT_TRUE(best->measures.peak_bytes <= plan->measures.peak_bytes);
        plan_free(plan);
    }
    CU_ASSERT_PTR_EQUAL(rule->find(rule->descent), heuristics_find("descent"));
    /* solvers/best/parts.c begins with these, by their numbers. */
    static const char *const first[] = {"strip_best_fit_start", "strip_best_fit_area",
                                        "xla_lazy_best_fit", "tflite_greedy_by_size",
                                        "strip_best_fit"};
    for (uint32_t i = 0; i < 5; i++)
        CU_ASSERT_STRING_EQUAL(rule->quick[i], first[i]);
    plan_free(best);
    problem_free(problem);
}

/* Bottom up by hand: the highest end of what conflicts, for each buffer of the order. */
static uint64_t stack_order(const struct problem *problem, const struct conflicts *conflicts,
                            const uint32_t *order, uint32_t count)
{
    uint64_t end[64] = {0}, peak = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t offset = 0, alignment = problem_alignment(problem, order[i]);
        for (uint64_t k = conflicts->first[order[i]]; k < conflicts->first[order[i] + 1]; k++)
            offset = end[conflicts->other[k]] > offset ? end[conflicts->other[k]] : offset;
        offset = (offset + alignment - 1) / alignment * alignment;
        end[order[i]] = offset + problem->size[order[i]];
        peak = end[order[i]] > peak ? end[order[i]] : peak;
    }
    return peak;
}

/* Ranks of the movable buffers by chance; how many. */
static uint32_t fill_ranks(const struct problem *problem, struct random_state *random,
                           uint32_t *rank)
{
    uint32_t movables = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            continue;
        uint32_t other = (uint32_t)random_below(random, movables + 1), last = b;
        for (uint32_t k = 0; k < b; k++)
            if (problem_fixed_offset(problem, k) == PROBLEM_FREE && rank[k] == other)
                last = k;
        rank[b] = other;
        if (last != b)
            rank[last] = movables;
        movables++;
    }
    return movables;
}

/* A dive of lists and one of trees of the same problem. */
struct both {
    const struct problem *problem;
    struct dive *dive[2];
    bool alike; /* they see the same sections */
};

static void check_dives(struct both *both, enum dive_rule rule, struct random_state *random)
{
    const struct problem *problem = both->problem;
    uint32_t order[2][64] = {0}, rank[64] = {0};
    uint64_t peak[2];
    struct conflicts *conflicts;
    must(conflicts_create(problem, &conflicts, &error));
    uint32_t movables = fill_ranks(problem, random, rank);
    for (int i = 0; i < 2; i++) {
        uint32_t seen[64] = {0};
        struct dive_task task = {rule, rank, UINT64_MAX, order[i], UINT64_MAX};
        peak[i] = dive_order(both->dive[i], &task);
        for (uint32_t k = 0; k < movables; k++) {
            CU_ASSERT_EQUAL(problem_fixed_offset(problem, order[i][k]), PROBLEM_FREE);
            CU_ASSERT_EQUAL(seen[order[i][k]]++, 0);
        }
        CU_ASSERT_EQUAL(stack_order(problem, conflicts, order[i], movables), peak[i]);
        if (peak[i]) {
            task.limit_bytes = peak[i] - 1;
            uint64_t below = dive_order(both->dive[i], &task);
            CU_ASSERT_TRUE(below == UINT64_MAX || rule == DIVE_HARDEST);
        }
    }
    if (both->alike) {
        CU_ASSERT_EQUAL(peak[0], peak[1]);
        CU_ASSERT_EQUAL(memcmp(order[0], order[1], sizeof order[0]), 0);
        CU_ASSERT_EQUAL(dive_failed(both->dive[0]), dive_failed(both->dive[1]));
    }
    conflicts_free(conflicts);
}

static void check_members(struct both *both)
{
    CU_ASSERT_EQUAL_FATAL(dive_sections(both->dive[0]), dive_sections(both->dive[1]));
    for (uint32_t s = 0; s < dive_sections(both->dive[0]); s++) {
        const uint32_t *member[2];
        uint32_t count = dive_members(both->dive[0], s, &member[0]);
        CU_ASSERT_EQUAL_FATAL(dive_members(both->dive[1], s, &member[1]), count);
        for (uint32_t i = 0; i < count; i++)
            CU_ASSERT_EQUAL(member[0][i], member[1][i]);
    }
}

/* Without holes lists and trees make the same orders and fail at the same sections; the number of
   failures grows with the rounds. */
static void dive_both(const struct random_problem *kind, uint64_t seed)
{
    struct random_state random = random_seed(seed);
    struct problem *problem = random_problem_create(kind, &random);
    struct both both = {.problem = problem, .alike = !kind->holes && !kind->windows};
    must(dive_create(problem, UINT64_MAX, &both.dive[0], &scratch, &error));
    must(dive_create(problem, 0, &both.dive[1], &scratch, &error));
    for (int round = 0; round < 3; round++)
        for (enum dive_rule rule = 0; rule < DIVE_RULES; rule++)
            check_dives(&both, rule, &random);
    if (both.alike)
        check_members(&both);
    dive_free(both.dive[0]);
    dive_free(both.dive[1]);
    scratch_free(&scratch);
    problem_free(problem);
}

static void test_dives(void)
{
    static const struct random_problem many = {
        .most_buffers = 60, .steps = 40, .most_size = 99, .alignment = true, .fixed = true};
    for (uint64_t seed = 0; seed < TESTING_COUNT(2000, 300); seed++)
        dive_both(&rule_test_everything, seed);
    for (uint64_t seed = 0; seed < TESTING_COUNT(1000, 150); seed++)
        dive_both(&many, seed);
}

/* Every buffer is live with about a third of the others: lists would take 50 kilobytes for each. */
static void test_memory(void)
{
    static const struct random_problem kind = {
        .most_buffers = 20000, .steps = 1000, .most_size = 5000};
    struct problem *problem = rule_test_draw(&kind, 5);
    CU_ASSERT_FATAL(problem->buffers > 10000);
    memory_begin_peak();
    struct plan *plan = run("descent?turns=1", problem, UINT64_MAX, 1);
    CU_ASSERT_TRUE(memory_peak_bytes() <= UINT64_C(300) * problem->buffers);
    expect_valid(problem, plan);
    plan_free(plan);
    problem_free(problem);
}

struct work {
    const char *planner;
    const struct problem *problem;
};

static enum status plan_once(const void *input, struct error *failure)
{
    const struct work *work = input;
    const struct planner_task task = planned_task(work->problem);
    const char *settings = strchr(work->planner, '?');
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(planner_configure(rule_test_find(work->planner), settings + 1, &planner, failure));
    TRY(plan_create(work->problem, &plan, failure));
    return planner_plan(planner, &task, plan, failure);
}

static enum status dive_once(const void *problem, struct error *failure)
{
    struct dive *dive = NULL;
    enum status status = dive_create(problem, 0, &dive, &scratch, failure);
    dive_free(dive);
    scratch_free(&scratch);
    return status;
}

static void test_allocations(void)
{
    static const struct random_problem kind = {.most_buffers = 40, .steps = 20, .most_size = 500};
    struct problem *problem = rule_test_draw(&kind, 11);
    fail_each(plan_once, &(struct work){"descent?turns=20", problem});
    fail_each(plan_once, &(struct work){"portfolio?descents=0", problem});
    fail_each(dive_once, problem);
    problem_free(problem);
}

static const struct test_case cases[] = {
    {"plans are valid", test_valid},
    {"small optima are reached", test_reaches_the_optimum},
    {"the same for a seed, whatever the threads", test_same_for_a_seed},
    {"time limit and quick rules", test_limits},
    {"dives from the bottom up", test_dives},
    {"memory of many buffers", test_memory},
    {"every allocation fails once", test_allocations},
};
TESTING_MAIN("heuristics/descent", cases)
