/* Problems with clocks: plans of every planner are held against brute force over all orders of
   placement, and of clocks alone every planner that takes them makes what it makes of the pairs. */

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "harness/jobs.h"
#include "planning/arena/fit.h"
#include "planning/arena/placer.h"
#include "planning/problem/bounds.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/conflicts.h"
#include "planning/verify/problem/plan.h"
#include "support/fail_each.h"
#include "support/fits.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"

enum {
    PROBLEMS = TESTING_COUNT(2000, 40),
    BETWEEN_SEARCHES = 100,
    AGAINST_BRUTE_FORCE = TESTING_COUNT(100, 5),
    MOST_BUFFERS = 10,
};

/* With pairs. NULL where one line of steps says which conflict. */
static struct problem *draw_listed(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    struct problem *problem = random_clocks_create(MOST_BUFFERS, 9, &random);
    must(problem_clocks_resolve(&problem, &error));
    must(problem_finish(problem, &error));
    if (problem_streams(problem))
        return problem;
    problem_free(problem);
    return NULL;
}

/* The same as if too many pairs conflicted. */
static struct problem *copy_clocks(const struct problem *listed)
{
    struct problem *problem;
    uint64_t load_bytes;
    uint32_t step;
    must(problem_load(listed, &load_bytes, &step, &error));
    must(problem_create(&problem, "alone", &error));
    for (uint32_t b = 0; b < listed->buffers; b++) {
        /* All are live at step 0, and those of the load's step at that of the antichain. */
        uint32_t end = PROBLEM_ANTICHAIN_STEP;
        for (uint32_t s = listed->first[b]; s < listed->first[b + 1]; s++)
            if (listed->lower[s] <= step && step < listed->upper[s])
                end = PROBLEM_ANTICHAIN_STEP + 1;
        const struct problem_buffer buffer = {.name = names_get(&listed->names, b),
                                              .size = listed->size[b],
                                              .alignment = problem_alignment(listed, b),
                                              .fixed_offset = problem_fixed_offset(listed, b),
                                              .hint = -1};
        const struct problem_segment segment = {0, end, 0, listed->size[b]};
        must(problem_add_buffer(problem, &buffer, &error));
        must(problem_add_clock(problem, problem_clock(listed, b), &error));
        must(problem_add_segment(problem, segment, &error));
    }
    problem->line_end = 0;
    problem->clocks->alone = true;
    must(problem_finish(problem, &error));
    return problem;
}

static struct plan *make_plan(const struct planner *planner, const struct problem *problem)
{
    struct planner_task task = planned_task(problem);
    task.time_limit_ns = 5000000;
    task.threads = 1;
    task.helper = planner->helper ? planners_find(planner->helper) : NULL;
    struct plan *plan = planned(planner, &task);
    must(plan_complete(plan, problem, &error));
    return plan;
}

static void check_valid(const struct problem *problem, const struct plan *plan)
{
    struct verdict verdict;
    must(verify_plan(problem, plan, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
}

static void compare_plans(const struct planner *planner, const struct problem *listed,
                          const struct problem *alone)
{
    SCOPED(plan_release) struct plan *expected = make_plan(planner, listed);
    SCOPED(plan_release) struct plan *plan = make_plan(planner, alone);
    bool searches = planner->flags & PLANNER_SEARCHES;
    CU_ASSERT_FATAL(plan_found(expected) && plan_found(plan));
    check_valid(listed, plan);
    check_valid(alone, plan);
    check_valid(alone, expected);
    CU_ASSERT_EQUAL(plan->measures.lower_bound_bytes, expected->measures.lower_bound_bytes);
    for (uint32_t b = 0; b < listed->buffers && !searches; b++)
        CU_ASSERT_EQUAL(plan->offset[b], expected->offset[b]);
}

static void test_plans_are_those_of_pairs(void)
{
    uint32_t tried = 0;
    for (uint64_t seed = 0; tried < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *listed = draw_listed(seed);
        if (!listed)
            continue;
        SCOPED(problem_release) struct problem *alone = copy_clocks(listed);
        for (uint32_t i = 0; i < planners_count(); i++) {
            const struct planner *planner = planners_at(i);
            if (planner_can_plan(planner, alone) &&
                (!(planner->flags & PLANNER_SEARCHES) || tried % BETWEEN_SEARCHES == 0))
                compare_plans(planner, listed, alone);
        }
        tried++;
    }
}

static void test_lists_are_those_of_pairs(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *listed = draw_listed(seed);
        if (!listed)
            continue;
        SCOPED(problem_release) struct problem *alone = copy_clocks(listed);
        SCOPED(conflicts_release) struct conflicts *expected = NULL;
        SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
        uint32_t buffers = listed->buffers;
        must(conflicts_create(listed, &expected, &error));
        must(conflicts_create(alone, &conflicts, &error));
        for (uint32_t b = 0; b <= buffers; b++)
            CU_ASSERT_EQUAL_FATAL(conflicts->first[b], expected->first[b]);
        for (uint64_t i = 0; i < expected->first[buffers]; i++)
            CU_ASSERT_EQUAL(conflicts->other[i], expected->other[i]);
    }
}

static void place_by_lines(const struct problem *problem, const char *fit, struct plan *plan)
{
    struct occupancy_rule rule = {.fit = fit_find(fit), .most_bytes = UINT64_MAX};
    SCOPED(memory_release) uint32_t *sorted = NULL;
    SCOPED(placer_release) struct placer *placer = NULL;
    uint64_t peak_bytes;
    must(memory_create(&sorted, problem->buffers, sizeof *sorted, &error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = b;
    rule.sorted = sorted;
    must(placer_create(problem, &placer, &error));
    must(placer_place_all(placer, &rule, plan->offset, &peak_bytes, &error));
}

/* So many buffers that their lines are cut. */
static void test_many(void)
{
    static const char *const patterns[] = {"independent", "pairs",     "subset", "sparse",
                                           "irregular",   "ring",      "tree",   "groups",
                                           "barrier",     "fork_join", "dense"};
    static const char *const fits[] = {"first", "best", "worst", "top"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns * TESTING_COUNT(4, 1); i++) {
        SCOPED(plan_release) struct plan *expected = NULL;
        SCOPED(plan_release) struct plan *plan = NULL;
        char name[128];
        snprintf(name, sizeof name,
                 "generate:sync_pattern?buffers=%d&streams=3&pattern=%s&skew=%zu&seed=%zu", 4000,
                 patterns[i % 11], 1 + i / 22, 1 + i);
        SCOPED(instance_release) struct instance *instance = jobs_load(name);
        const struct problem *problem = instance->problem;
        CU_ASSERT_TRUE_FATAL(problem_is_by_clocks(problem));
        must(plan_create(problem, &expected, &error));
        must(plan_create(problem, &plan, &error));
        must(fits_place_all(fit_find(fits[i % 4]), problem, NULL, expected, &error));
        place_by_lines(problem, fits[i % 4], plan);
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_EQUAL(plan->offset[b], expected->offset[b]);
    }
}

static enum status list_anew(const void *input, struct error *found)
{
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    TRY(conflicts_create(input, &conflicts, found));
    return STATUS_OK;
}

static void test_allocations(void)
{
    SCOPED(problem_release) struct problem *listed = NULL;
    for (uint64_t seed = 0; !listed; seed++)
        listed = draw_listed(seed);
    SCOPED(problem_release) struct problem *alone = copy_clocks(listed);
    fail_each(list_anew, alone);
    /* Planners that would list the pairs refuse. */
    uint32_t refused = 0;
    for (uint32_t i = 0; i < planners_count(); i++) {
        if (planner_can_plan(planners_at(i), alone))
            continue;
        SCOPED(plan_release) struct plan *plan = make_plan(planners_at(i), alone);
        CU_ASSERT_EQUAL(plan->status, PLAN_UNSUPPORTED);
        refused++;
    }
    CU_ASSERT(refused > 0 && refused < planners_count());
}

static void test_against_brute_force(void)
{
    uint32_t tried = 0;
    for (uint64_t seed = 1000; tried < AGAINST_BRUTE_FORCE; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_listed(seed);
        if (!problem || problem->buffers > 8)
            continue;
        uint64_t least_bytes = brute_force_peak(problem, 200);
        tried++;
        for (uint32_t i = 0; i < planners_count(); i++) {
            if (planners_at(i)->flags & PLANNER_UNSAFE)
                continue;
            /* Valid, no lower than the optimum, and that where it says so. */
            SCOPED(plan_release) struct plan *plan = make_plan(planners_at(i), problem);
            uint64_t peak_bytes = plan->measures.peak_bytes;
            if (plan_found(plan) && !plan->extents) {
                check_valid(problem, plan);
                CU_ASSERT(peak_bytes >= least_bytes);
                CU_ASSERT(plan->status != PLAN_OPTIMAL || peak_bytes == least_bytes);
            }
            CU_ASSERT(plan->measures.lower_bound_bytes <= least_bytes);
            CU_ASSERT_NOT_EQUAL(plan->status, PLAN_INFEASIBLE);
        }
    }
}

static const struct test_case cases[] = {
    {"every planner against brute force", test_against_brute_force},
    {"plans are those that pairs give", test_plans_are_those_of_pairs},
    {"many buffers are placed as by lists", test_many},
    {"lists of conflicts are those of pairs", test_lists_are_those_of_pairs},
    {"allocations that fail, and others refuse", test_allocations},
};

TESTING_MAIN("harness/clocks", cases)
