#include <string.h>

#include "heuristics/heuristics.h"
#include "heuristics/ours/dive.h"
#include "heuristics/ours/portfolio.h"
#include "support/fail_each.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

static struct error error;

static const struct random_problem everything = {.most_buffers = 12,
                                                 .steps = 12,
                                                 .most_size = 9,
                                                 .holes = true,
                                                 .windows = true,
                                                 .alignment = true,
                                                 .fixed = true};

static struct plan *run(const char *name, const char *settings, const struct problem *problem,
                        uint64_t time_limit_ns, uint32_t threads)
{
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = time_limit_ns,
                                      .seed = 7,
                                      .threads = threads};
    struct planner *planner;
    CU_ASSERT_EQUAL_FATAL(planner_configure(heuristics_find(name), settings, &planner, &error),
                          STATUS_OK);
    struct plan *plan = planned(planner, &task);
    planner_free(planner);
    return plan;
}

static void expect_valid(const struct problem *problem, const struct plan *plan)
{
    CU_ASSERT_TRUE(plan_found(plan));
    CU_ASSERT_TRUE(planned_is_valid(problem, plan));
}

static void test_valid(void)
{
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&everything, &random);
        if (planned_can_be(problem)) {
            struct plan *descent = run("descent", "turns=30", problem, UINT64_MAX, 1);
            struct plan *portfolio = run("portfolio", "descents=0", problem, UINT64_MAX, 1);
            expect_valid(problem, descent);
            expect_valid(problem, portfolio);
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
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&kind, &random);
        struct plan *plan = run("descent", "turns=500", problem, UINT64_MAX, 1);
        uint64_t least = every_order_peak(problem);
        CU_ASSERT_TRUE(plan->measures.peak_bytes >= least);
        missed += plan->measures.peak_bytes > least;
        plan_free(plan);
        problem_free(problem);
    }
    CU_ASSERT_EQUAL(missed, 0);
}

static bool equal_plans(const struct plan *a, const struct plan *b)
{
    return a->measures.peak_bytes == b->measures.peak_bytes &&
           memcmp(a->offset, b->offset, a->buffers * sizeof *a->offset) == 0;
}

static void test_same_for_a_seed(void)
{
    static const struct random_problem kind = {.most_buffers = 150, .steps = 60, .most_size = 500};
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&kind, &random);
        struct plan *once = run("descent", "turns=200", problem, UINT64_MAX, 1);
        struct plan *again = run("descent", "turns=200", problem, UINT64_MAX, 1);
        struct plan *one_thread = run("portfolio", "descents=0", problem, UINT64_MAX, 1);
        struct plan *two_threads = run("portfolio", "descents=0", problem, UINT64_MAX, 2);
        CU_ASSERT_TRUE(equal_plans(once, again));
        CU_ASSERT_TRUE(equal_plans(one_thread, two_threads));
        plan_free(once);
        plan_free(again);
        plan_free(one_thread);
        plan_free(two_threads);
        problem_free(problem);
    }
}

/* However short the time, there is a plan; and never one above the quick rules'. */
static void test_limits(void)
{
    static const struct random_problem kind = {.most_buffers = 60, .steps = 40, .most_size = 500};
    struct random_state random = random_seed(3);
    struct problem *problem = random_problem_create(&kind, &random);
    struct plan *best = run("portfolio", "descents=0", problem, UINT64_MAX, 1);
    const char *const hurried[] = {"descent", "portfolio"};
    for (int i = 0; i < 2; i++) {
        struct plan *plan = run(hurried[i], NULL, problem, 0, 1);
        expect_valid(problem, plan);
        plan_free(plan);
    }
    const struct portfolio_rule *rule = heuristics_find("portfolio")->rule;
    for (uint32_t i = 0; i < rule->quick_count; i++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(heuristics_find(rule->quick[i]));
        struct plan *plan = run(rule->quick[i], NULL, problem, UINT64_MAX, 1);
        CU_ASSERT_TRUE(best->measures.peak_bytes <= plan->measures.peak_bytes);
        plan_free(plan);
    }
    CU_ASSERT_PTR_EQUAL(rule->find(rule->descent), heuristics_find("descent"));
    plan_free(best);
    problem_free(problem);
}

/* Bottom up by hand: the highest end of what conflicts, for each buffer of the order. */
static uint64_t stack_order(const struct problem *problem, const struct conflicts *conflicts,
                            const uint32_t *order, uint32_t count)
{
    uint64_t end[64] = {0}, peak = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t offset = 0, alignment = problem->alignment[order[i]];
        for (uint64_t k = conflicts->first[order[i]]; k < conflicts->first[order[i] + 1]; k++)
            offset = end[conflicts->other[k]] > offset ? end[conflicts->other[k]] : offset;
        offset = (offset + alignment - 1) / alignment * alignment;
        end[order[i]] = offset + problem->size[order[i]];
        peak = end[order[i]] > peak ? end[order[i]] : peak;
    }
    return peak;
}

static void check_dive(struct dive *dive, enum dive_rule rule, struct random_state *random)
{
    const struct problem *problem = dive->problem;
    uint32_t order[64], rank[64] = {0}, seen[64] = {0}, movables = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        rank[b] = (uint32_t)random_below(random, 1000) * 64 + b;
        movables += problem->fixed_offset[b] == PROBLEM_FREE;
    }
    uint64_t peak = dive_order(dive, rule, rank, UINT64_MAX, order);
    for (uint32_t i = 0; i < movables; i++) {
        CU_ASSERT_EQUAL(problem->fixed_offset[order[i]], PROBLEM_FREE);
        CU_ASSERT_EQUAL(seen[order[i]]++, 0);
    }
    CU_ASSERT_EQUAL(stack_order(problem, dive->conflicts, order, movables), peak);
    if (rule == DIVE_HARDEST)
        return;
    CU_ASSERT_EQUAL(dive_order(dive, rule, rank, peak, order), peak);
    if (peak)
        CU_ASSERT_EQUAL(dive_order(dive, rule, rank, peak - 1, order), UINT64_MAX);
}

static void test_dives(void)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&everything, &random);
        struct conflicts *conflicts;
        struct dive *dive;
        CU_ASSERT_EQUAL_FATAL(conflicts_create(problem, &conflicts, &error), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(dive_create(problem, conflicts, &dive, &error), STATUS_OK);
        for (enum dive_rule rule = 0; rule < DIVE_RULES; rule++)
            check_dive(dive, rule, &random);
        dive_free(dive);
        conflicts_free(conflicts);
        problem_free(problem);
    }
}

struct work {
    const char *planner, *settings;
    const struct problem *problem;
};

static enum status plan_once(const void *input, struct error *failure)
{
    const struct work *work = input;
    const struct planner_task task = {
        .problem = work->problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    struct planner *planner = NULL;
    struct plan *plan = NULL;
    enum status status;
    TRY_OR_DONE(status, planner_configure(heuristics_find(work->planner), work->settings, &planner,
                                          failure));
    TRY_OR_DONE(status, plan_create(work->problem, &plan, failure));
    TRY_OR_DONE(status, planner->plan(planner, &task, plan, failure));
done:
    plan_free(plan);
    planner_free(planner);
    return status;
}

static void test_allocations(void)
{
    static const struct random_problem kind = {.most_buffers = 40, .steps = 20, .most_size = 500};
    struct random_state random = random_seed(11);
    struct problem *problem = random_problem_create(&kind, &random);
    fail_each(plan_once, &(struct work){"descent", "turns=20", problem});
    fail_each(plan_once, &(struct work){"portfolio", "descents=0", problem});
    problem_free(problem);
}

static const struct test_case cases[] = {
    {"plans are valid", test_valid},
    {"small optima are reached", test_reaches_the_optimum},
    {"the same for a seed, whatever the threads", test_same_for_a_seed},
    {"time limit and quick rules", test_limits},
    {"dives from the bottom up", test_dives},
    {"every allocation fails once", test_allocations},
};
TESTING_MAIN("heuristics/descent", cases)
