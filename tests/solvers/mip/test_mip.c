#include <stdio.h>

#include "datasets/instance.h"
#include "planning/problem/clocks_resolve.h"
#include "solvers/find_solver.h"
#include "support/planned.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const uint64_t most_bytes = 40;

/* CBC starts a process for each problem, which takes long with a sanitizer. */
enum { LARGE_PROBLEMS = 350, CBC_SHARE = TESTING_COUNT(5, 20) };

/* The planner under test is given one in share of the problems. */
static const struct planner *solver;
static uint32_t share;

static struct plan *solve_in(const struct problem *problem, uint64_t capacity_bytes,
                             uint64_t time_limit_ns, const struct plan *start)
{
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = capacity_bytes,
                                      .time_limit_ns = time_limit_ns,
                                      .start = start};
    return planned(solver, &task);
}

static struct plan *solve(const struct problem *problem, uint64_t capacity_bytes,
                          const struct plan *start)
{
    return solve_in(problem, capacity_bytes, UINT64_MAX, start);
}

static bool agrees_with_brute_force(const struct problem *problem)
{
    uint64_t least_bytes = brute_force_peak(problem, most_bytes);
    struct plan *plan = solve(problem, UINT64_MAX, NULL);
    bool agrees = plan->status == PLAN_OPTIMAL && plan->measures.peak_bytes == least_bytes &&
                  plan->measures.lower_bound_bytes == least_bytes &&
                  planned_is_valid(problem, plan);
    plan_free(plan);
    if (least_bytes > 1) {
        plan = solve(problem, least_bytes - 1, NULL);
        agrees &= plan->status == PLAN_INFEASIBLE;
        plan_free(plan);
        plan = solve(problem, least_bytes, NULL);
        agrees &= plan->status == PLAN_OPTIMAL && plan->measures.peak_bytes == least_bytes;
        plan_free(plan);
    }
    return agrees;
}

static void compare_many(const struct random_problem *kind, uint64_t seed, uint32_t problems)
{
    for (uint32_t i = 0; i < problems / share; i++) {
        struct random_state random = random_seed(seed + i);
        struct problem *problem = random_problem_create(kind, &random);
        if (planned_can_be(problem) && !agrees_with_brute_force(problem)) {
            printf("seed %llu\n", (unsigned long long)(seed + i));
            CU_FAIL("the solver and brute force differ");
        }
        problem_free(problem);
    }
    printf("%u problems by %s\n", problems / share, solver->name);
}

static void test_plain(void)
{
    compare_many(&(struct random_problem){.most_buffers = 6, .steps = 6, .most_size = 6}, 1000,
                 200);
}

static void test_holes_and_windows(void)
{
    compare_many(
        &(struct random_problem){
            .most_buffers = 5, .steps = 9, .most_size = 5, .holes = true, .windows = true},
        2000, 150);
}

static void test_alignment_and_fixed(void)
{
    compare_many(
        &(struct random_problem){
            .most_buffers = 5, .steps = 6, .most_size = 5, .alignment = true, .fixed = true},
        3000, 150);
}

static void test_everything(void)
{
    compare_many(&(struct random_problem){.most_buffers = 5,
                                          .steps = 9,
                                          .most_size = 5,
                                          .holes = true,
                                          .windows = true,
                                          .alignment = true,
                                          .fixed = true},
                 4000, 150);
    compare_many(&(struct random_problem){.most_buffers = 7,
                                          .steps = 6,
                                          .most_size = 3,
                                          .holes = true,
                                          .windows = true,
                                          .alignment = true,
                                          .fixed = true},
                 5000, 100);
}

/* Any number of segments and pairs that no segment says. */
static void test_many_holes_and_conflicts(void)
{
    compare_many(&(struct random_problem){.most_buffers = 7,
                                          .steps = 9,
                                          .most_size = 4,
                                          .many_holes = true,
                                          .windows = true,
                                          .alignment = true,
                                          .conflicts = true},
                 5000, 150);
}

/* Floating point has lost optima of such sizes: whatever is claimed must be true. */
static void check_claims(const struct problem *problem, uint64_t seed, uint32_t *proved)
{
    uint64_t least = every_order_peak(problem);
    const uint64_t capacities[] = {UINT64_MAX, least, least + 1, least - 1};
    for (int i = 0; i < 4; i++) {
        struct plan *plan = solve(problem, capacities[i], NULL);
        bool honest = plan->measures.lower_bound_bytes <= least;
        honest &= plan->status != PLAN_OPTIMAL || plan->measures.peak_bytes == least;
        honest &= plan->status != PLAN_INFEASIBLE || capacities[i] < least;
        honest &= !plan_found(plan) || planned_is_valid(problem, plan);
        if (!honest)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE(honest);
        *proved += plan->status == PLAN_OPTIMAL || plan->status == PLAN_INFEASIBLE;
        plan_free(plan);
    }
}

static void test_large_coprime_sizes(void)
{
    static const uint64_t sizes[] = {
        10000, 30000, 100000, 300000, 3000000, 40000000, UINT64_C(9000000000)};
    uint32_t proved = 0;
    for (uint64_t seed = 0; seed < LARGE_PROBLEMS / share; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {
            .most_buffers = 7, .steps = 8, .most_size = sizes[seed % 7]};
        struct problem *problem = random_problem_create(&kind, &random);
        check_claims(problem, seed, &proved);
        problem_free(problem);
    }
    CU_ASSERT_TRUE(proved > LARGE_PROBLEMS / share);
}

/* Clique rows are those of the conflict steps, the heaviest antichain among them. */
static void test_streams(void)
{
    uint32_t wanted = 100 / share, tried = 0;
    struct error error;
    for (uint64_t seed = 7000; tried < wanted; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_clocks_create(8, 6, &random);
        CU_ASSERT_EQUAL_FATAL(problem_clocks_resolve(&problem, &error), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(problem_finish(problem, &error), STATUS_OK);
        if (problem_streams(problem)) {
            CU_ASSERT_TRUE(agrees_with_brute_force(problem));
            tried++;
        }
        problem_free(problem);
    }
    printf("%u problems by %s\n", tried, solver->name);
}

/* A start that breaks a row must not reach a solver: GLPK would believe it. */
static void test_wrong_start_is_not_believed(void)
{
    struct random_state random = random_seed(7);
    const struct random_problem kind = {.most_buffers = 6, .steps = 2, .most_size = 6};
    struct problem *problem = random_problem_create(&kind, &random);
    struct error error;
    struct plan *start;
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &start, &error), STATUS_OK);
    for (uint32_t b = 0; b < problem->buffers; b++)
        start->offset[b] = 0;
    start->status = PLAN_FEASIBLE;
    start->measures.peak_bytes = 35;
    struct plan *plan = solve(problem, UINT64_MAX, start);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, brute_force_peak(problem, most_bytes));
    CU_ASSERT_TRUE(planned_is_valid(problem, plan));
    plan_free(plan);
    plan_free(start);
    problem_free(problem);
}

static void test_no_time_gives_the_start(void)
{
    struct random_state random = random_seed(11);
    const struct random_problem kind = {.most_buffers = 6, .steps = 6, .most_size = 6};
    struct problem *problem = random_problem_create(&kind, &random);
    struct plan *best = solve(problem, UINT64_MAX, NULL);
    struct plan *plan = solve_in(problem, UINT64_MAX, 0, best);
    CU_ASSERT_TRUE(plan_found(plan));
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, best->measures.peak_bytes);
    plan_free(plan);
    plan_free(best);
    problem_free(problem);
}

/* Under one solver after the other; false where the build has none of that name. */
static bool choose(const char *name, uint32_t its_share)
{
    const struct random_problem kind = {.most_buffers = 3, .steps = 2, .most_size = 3};
    struct random_state random = random_seed(1);
    struct problem *problem = random_problem_create(&kind, &random);
    solver = find_solver(name);
    share = its_share;
    struct plan *plan = solve(problem, UINT64_MAX, NULL);
    bool there = plan->status != PLAN_UNSUPPORTED;
    if (!there)
        testing_skip("integer programs by %s, which this build has not", name);
    plan_free(plan);
    problem_free(problem);
    return there;
}

static void run_with(void (*test)(void))
{
    if (choose("glpk", 1))
        test();
    if (choose("cbc", CBC_SHARE))
        test();
}

#define WITH_EACH(name)                                                                            \
    static void name##_with_each(void)                                                             \
    {                                                                                              \
        run_with(name);                                                                            \
    }

WITH_EACH(test_plain)
WITH_EACH(test_holes_and_windows)
WITH_EACH(test_alignment_and_fixed)
WITH_EACH(test_everything)
WITH_EACH(test_many_holes_and_conflicts)
WITH_EACH(test_large_coprime_sizes)
WITH_EACH(test_streams)
WITH_EACH(test_wrong_start_is_not_believed)
WITH_EACH(test_no_time_gives_the_start)

static const struct test_case cases[] = {
    {"plain problems against brute force", test_plain_with_each},
    {"holes and windows against brute force", test_holes_and_windows_with_each},
    {"alignment and fixed offsets against brute force", test_alignment_and_fixed_with_each},
    {"all of it against brute force", test_everything_with_each},
    {"many holes and conflicts of pairs", test_many_holes_and_conflicts_with_each},
    {"large sizes without a common divisor", test_large_coprime_sizes_with_each},
    {"orders of several streams against brute force", test_streams_with_each},
    {"a wrong start is not believed", test_wrong_start_is_not_believed_with_each},
    {"without time the start comes back", test_no_time_gives_the_start_with_each},
};

TESTING_MAIN("solvers/mip", cases)
