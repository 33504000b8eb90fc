#include <stdio.h>

#include "datasets/instance.h"
#include "planning/problem/clocks_resolve.h"
#include "solvers/find_solver.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"
#include "support/testing.h"

static const uint64_t most_bytes = 40;

/* CBC starts a process for each problem, which takes long with a sanitizer. */
enum { LARGE_PROBLEMS = 350, GLPK_SHARE = TESTING_COUNT(1, 3), CBC_SHARE = TESTING_COUNT(5, 60) };

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

/* Any number of segments, and pairs that no segment says, in the last kind. */
static void against_brute_force(void)
{
    static const struct {
        uint64_t seed;
        uint32_t problems;
        struct random_problem kind; /* most buffers, steps, most bytes of one, and so on */
    } tried[] = {
        {1000, 200, {.most_buffers = 6, .steps = 6, .most_size = 6}},
        {2000, 150, {5, 9, 5, .holes = true, .windows = true}},
        {3000, 150, {5, 6, 5, .alignment = true, .fixed = true}},
        {4000, 150, {5, 9, 5, .holes = true, .windows = true, .alignment = true, .fixed = true}},
        {5000, 100, {7, 6, 3, .holes = true, .windows = true, .alignment = true, .fixed = true}},
        {5000,
         150,
         {7, 9, 4, .many_holes = true, .windows = true, .alignment = true, .conflicts = true}},
    };
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        uint32_t problems = tried[k].problems / share;
        for (uint64_t seed = tried[k].seed; seed < tried[k].seed + problems; seed++) {
            struct random_state random = random_seed(seed);
            SCOPED(problem_release)
            struct problem *problem = random_problem_create(&tried[k].kind, &random);
            if (!planned_can_be(problem) || agrees_with_brute_force(problem))
                continue;
            printf("seed %llu\n", (unsigned long long)seed);
            CU_FAIL("the solver and brute force differ");
        }
        printf("%u problems by %s\n", problems, solver->name);
    }
}

/* Floating point has lost optima of such sizes: whatever is claimed must be true. */
static void check_claims(const struct problem *problem, uint64_t seed, uint32_t *proved)
{
    uint64_t least = every_order_peak(problem);
    const uint64_t capacities[] = {UINT64_MAX, least, least + 1, least - 1};
    for (int i = 0; i < 4; i++) {
        SCOPED(plan_release) struct plan *plan = solve(problem, capacities[i], NULL);
        bool honest = plan->measures.lower_bound_bytes <= least;
        honest &= plan->status != PLAN_OPTIMAL || plan->measures.peak_bytes == least;
        honest &= plan->status != PLAN_INFEASIBLE || capacities[i] < least;
        honest &= !plan_found(plan) || planned_is_valid(problem, plan);
        if (!honest)
            printf("seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE(honest);
        *proved += plan->status == PLAN_OPTIMAL || plan->status == PLAN_INFEASIBLE;
    }
}

static void large_coprime_sizes(void)
{
    static const uint64_t sizes[] = {
        10000, 30000, 100000, 300000, 3000000, 40000000, UINT64_C(9000000000)};
    uint32_t proved = 0;
    for (uint64_t seed = 0; seed < LARGE_PROBLEMS / share; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {
            .most_buffers = 7, .steps = 8, .most_size = sizes[seed % 7]};
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        check_claims(problem, seed, &proved);
    }
    CU_ASSERT_TRUE(proved > LARGE_PROBLEMS / share);
}

/* Clique rows are those of the conflict steps, the heaviest antichain among them. */
static void streams(void)
{
    uint32_t wanted = 100 / share, tried = 0;
    for (uint64_t seed = 7000; tried < wanted; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_clocks_create(8, 6, &random);
        must(problem_clocks_resolve(&problem, &error));
        must(problem_finish(problem, &error));
        if (problem_streams(problem)) {
            CU_ASSERT_TRUE(agrees_with_brute_force(problem));
            tried++;
        }
    }
    printf("%u problems by %s\n", tried, solver->name);
}

/* A start that breaks a row must not reach a solver: GLPK would believe it. */
static void wrong_start_is_not_believed(void)
{
    struct random_state random = random_seed(7);
    const struct random_problem kind = {.most_buffers = 6, .steps = 2, .most_size = 6};
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(plan_release) struct plan *start = NULL;
    must(plan_create(problem, &start, &error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        start->offset[b] = 0;
    start->status = PLAN_FEASIBLE;
    start->measures.peak_bytes = 35;
    SCOPED(plan_release) struct plan *plan = solve(problem, UINT64_MAX, start);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, brute_force_peak(problem, most_bytes));
    CU_ASSERT_TRUE(planned_is_valid(problem, plan));
}

static void no_time_gives_the_start(void)
{
    struct random_state random = random_seed(11);
    const struct random_problem kind = {.most_buffers = 6, .steps = 6, .most_size = 6};
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(plan_release) struct plan *best = solve(problem, UINT64_MAX, NULL);
    SCOPED(plan_release) struct plan *plan = solve_in(problem, UINT64_MAX, 0, best);
    CU_ASSERT_TRUE(plan_found(plan));
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, best->measures.peak_bytes);
}

/* Runs the test by one solver after the other, as far as this build has them. */
static void by_each_solver(void (*test)(void))
{
    static const struct {
        const char *name;
        uint32_t share;
    } solvers[] = {{"glpk", GLPK_SHARE}, {"cbc", CBC_SHARE}};
    for (int i = 0; i < 2; i++) {
        const struct random_problem kind = {.most_buffers = 3, .steps = 2, .most_size = 3};
        struct random_state random = random_seed(1);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        solver = find_solver(solvers[i].name);
        share = solvers[i].share;
        SCOPED(plan_release) struct plan *plan = solve(problem, UINT64_MAX, NULL);
        if (plan->status == PLAN_UNSUPPORTED)
            testing_skip("integer programs by %s, which this build has not", solvers[i].name);
        else
            test();
    }
}

#define BY_EACH_SOLVER(name)                                                                       \
    static void test_##name(void)                                                                  \
    {                                                                                              \
        by_each_solver(name);                                                                      \
    }

BY_EACH_SOLVER(against_brute_force)
BY_EACH_SOLVER(large_coprime_sizes)
BY_EACH_SOLVER(streams)
BY_EACH_SOLVER(wrong_start_is_not_believed)
BY_EACH_SOLVER(no_time_gives_the_start)

static const struct test_case cases[] = {
    {"every kind of problem against brute force", test_against_brute_force},
    {"large sizes without a common divisor", test_large_coprime_sizes},
    {"orders of several streams against brute force", test_streams},
    {"a wrong start is not believed", test_wrong_start_is_not_believed},
    {"without time the start comes back", test_no_time_gives_the_start},
};

TESTING_MAIN("solvers/mip", cases)
