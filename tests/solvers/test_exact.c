#include <stdio.h>
#include <string.h>

#include "planning/bound.h"
#include "planning/verify.h"
#include "solvers/solvers.h"
#include "support/fail_each.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* The switches are the first options. */
enum { SWITCHES = 7, COMBINATIONS = 1 << SWITCHES };

static const uint64_t most_bytes = 64;

static const struct planner *find_solver(const char *name)
{
    for (uint32_t i = 0; i < solvers_count(); i++)
        if (strcmp(solvers_at(i)->name, name) == 0)
            return solvers_at(i);
    return NULL;
}

static struct plan *solve_with(const struct planner *planner, const struct planner_task *task)
{
    struct error error = ERROR_NONE;
    struct plan *plan;
    CU_ASSERT_EQUAL_FATAL(plan_create(task->problem, &plan, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(planner->plan(planner, task, plan, &error), STATUS_OK);
    return plan;
}

/* With the switches that are bits of rules. */
static struct plan *solve(const struct problem *problem, uint64_t capacity_bytes, unsigned rules)
{
    struct planner planner = *find_solver("exact");
    uint64_t values[PLANNER_MOST_OPTIONS];
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = capacity_bytes, .time_limit_ns = UINT64_MAX};
    for (uint32_t i = 0; planner.options[i].name; i++)
        values[i] = i < SWITCHES ? rules >> i & 1 : planner.options[i].initial;
    planner.option_values = values;
    return solve_with(&planner, &task);
}

static bool fixed_collide(const struct problem *problem)
{
    struct verdict verdict;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(verify_fixed(problem, &verdict, &error), STATUS_OK);
    return verdict.fault != VERIFY_VALID;
}

static bool is_valid(const struct problem *problem, const struct plan *plan)
{
    struct verdict verdict;
    verify_plan_pairwise(problem, plan, &verdict);
    return verdict.fault == VERIFY_VALID;
}

static bool fits_as_expected(const struct problem *problem, uint64_t capacity_bytes, bool expected,
                             unsigned rules)
{
    struct plan *plan = solve(problem, capacity_bytes, rules);
    bool right =
        expected ? plan_found(plan) && is_valid(problem, plan) && plan->peak_bytes <= capacity_bytes
                 : plan->status == PLAN_INFEASIBLE;
    plan_free(plan);
    return right;
}

static bool agrees(const struct problem *problem, uint64_t least_bytes, unsigned rules)
{
    struct plan *plan = solve(problem, UINT64_MAX, rules);
    bool right = plan->status == PLAN_OPTIMAL && plan->peak_bytes == least_bytes &&
                 plan->lower_bound_bytes == least_bytes && is_valid(problem, plan);
    plan_free(plan);
    right &= fits_as_expected(problem, least_bytes, true, rules);
    return right && (least_bytes == 1 || fits_as_expected(problem, least_bytes - 1, false, rules));
}

struct kind {
    const char *name;
    struct random_problem problem;
    uint32_t problems;
};

static const struct kind kinds[] = {
    {"plain", {.most_buffers = 8, .steps = 7, .most_size = 6}, 500},
    {"filled", {.most_buffers = 10, .steps = 7, .most_size = 6, .filled = true}, 1500},
    {"filled, holes",
     {.most_buffers = 8, .steps = 7, .most_size = 7, .filled = true, .holes = true},
     500},
    {"filled, alignment",
     {.most_buffers = 7, .steps = 6, .most_size = 7, .filled = true, .alignment = true},
     500},
    {"filled, fixed",
     {.most_buffers = 8, .steps = 6, .most_size = 7, .filled = true, .fixed = true},
     400},
    {"filled, windows",
     {.most_buffers = 7, .steps = 6, .most_size = 6, .filled = true, .windows = true},
     500},
    {"holes, windows",
     {.most_buffers = 6, .steps = 9, .most_size = 5, .holes = true, .windows = true},
     500},
    {"all",
     {.most_buffers = 6,
      .steps = 8,
      .most_size = 5,
      .holes = true,
      .windows = true,
      .alignment = true,
      .fixed = true},
     1100},
};

struct tally {
    uint32_t problems, above_load;
};

/* The problem runs with all rules and with one combination, which changes from one to the next. */
static void compare(const struct problem *problem, uint64_t seed, struct tally *tally)
{
    struct error error;
    uint64_t least_bytes = brute_force_peak(problem, most_bytes), bound_bytes;
    unsigned rules = (unsigned)(seed * 37 % COMBINATIONS);
    CU_ASSERT_EQUAL_FATAL(bound_peak(problem, &bound_bytes, &error), STATUS_OK);
    tally->problems++;
    tally->above_load += least_bytes > bound_bytes;
    if (agrees(problem, least_bytes, COMBINATIONS - 1) && agrees(problem, least_bytes, rules))
        return;
    printf("seed %llu, rules %u\n", (unsigned long long)seed, rules);
    CU_FAIL("exact and brute force differ");
}

static void test_against_brute_force(void)
{
    struct tally all = {0};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct tally tally = {0};
        for (uint32_t i = 0; tally.problems < kinds[k].problems; i++) {
            uint64_t seed = 100000 * (k + 1) + i;
            struct random_state random = random_seed(seed);
            struct problem *problem = random_problem_create(&kinds[k].problem, &random);
            if (!fixed_collide(problem))
                compare(problem, seed, &tally);
            problem_free(problem);
        }
        printf("\n  %-20s %5u problems, %4u with an optimum above the bound", kinds[k].name,
               tally.problems, tally.above_load);
        all.problems += tally.problems;
        all.above_load += tally.above_load;
    }
    printf("\n  %-20s %5u problems, %4u above, %u combinations of rules\n", "in all", all.problems,
           all.above_load, COMBINATIONS);
    CU_ASSERT_TRUE(all.problems >= 5000);
    CU_ASSERT_TRUE(all.above_load >= 500);
}

static const struct test_case cases[] = {
    {"all combinations of rules against brute force", test_against_brute_force},
};

TESTING_MAIN("solvers/exact", cases)
