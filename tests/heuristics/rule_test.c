#include "rule_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics/heuristics.h"
#include "planning/verify/describe.h"
#include "planning/verify/plan.h"
#include "support/planned.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

const struct planner *rule_test_find(const char *name)
{
    size_t length = strcspn(name, "?");
    for (uint32_t i = 0; i < heuristics_count(); i++)
        if (strlen(heuristics_at(i)->name) == length &&
            strncmp(heuristics_at(i)->name, name, length) == 0)
            return heuristics_at(i);
    printf("\nno heuristic %s\n", name);
    CU_FAIL_FATAL("no such heuristic");
    return NULL;
}

struct planner *rule_test_configure(const char *planner)
{
    const char *settings = strchr(planner, '?');
    struct planner *configured;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(planner_configure(rule_test_find(planner), settings ? settings + 1 : NULL,
                                            &configured, &error),
                          STATUS_OK);
    return configured;
}

static void check_plan(const struct planner *planner, const struct problem *problem,
                       const struct plan *plan)
{
    struct verdict verdict;
    char text[512];
    verify_plan_pairwise(problem, plan, &verdict);
    verify_describe(problem, plan, &verdict, text, sizeof text);
    if (verdict.fault)
        printf("\n    %s: %s\n", planner->name, text);
    CU_ASSERT_EQUAL_FATAL(verdict.fault, VERIFY_VALID);
}

static struct plan *run_configured(const struct planner *planner, const struct problem *problem)
{
    const struct planner_task task = planned_task(problem);
    struct plan *plan = planned(planner, &task);
    CU_ASSERT_EQUAL_FATAL(plan->status, PLAN_FEASIBLE);
    check_plan(planner, problem, plan);
    return plan;
}

struct plan *rule_test_run(const char *name, const struct problem *problem)
{
    struct planner *planner = rule_test_configure(name);
    struct plan *plan = run_configured(planner, problem);
    planner_free(planner);
    return plan;
}

static bool expect_equal(const char *planner, const struct problem *problem, const uint64_t *found,
                         const uint64_t *expected)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (found[b] != expected[b]) {
            printf("\n    %s: buffer %u at %llu, expected %llu\n", planner, b,
                   (unsigned long long)found[b], (unsigned long long)expected[b]);
            return false;
        }
    return true;
}

void rule_test_expect(const char *planner, const struct made_buffer *rows, uint32_t count,
                      const uint64_t *offsets)
{
    struct problem *problem = made_problem(rows, count);
    struct plan *plan = rule_test_run(planner, problem);
    CU_ASSERT_TRUE(expect_equal(planner, problem, plan->offset, offsets));
    plan_free(plan);
    problem_free(problem);
}

/* A problem of a seed; NULL where its fixed buffers overlap each other. */
static struct problem *draw_problem(uint64_t seed)
{
    const struct random_problem kind = {.most_buffers = RULE_TEST_BUFFERS,
                                        .steps = 12,
                                        .most_size = 9,
                                        .holes = seed % 2,
                                        .windows = seed % 3 == 0,
                                        .alignment = seed % 4 >= 2,
                                        .fixed = seed % 5 == 0};
    struct random_state random = random_seed(seed);
    struct problem *problem = random_problem_create(&kind, &random);
    if (planned_can_be(problem))
        return problem;
    problem_free(problem);
    return NULL;
}

void rule_test_compare(const char *name, rule_test_reference *reference, uint64_t seeds)
{
    struct planner *planner = rule_test_configure(name);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        uint64_t expected[RULE_TEST_BUFFERS];
        struct problem *problem = draw_problem(seed);
        if (!problem)
            continue;
        struct plan *plan = run_configured(planner, problem);
        reference(problem, expected);
        bool equal = expect_equal(name, problem, plan->offset, expected);
        if (!equal)
            printf("    in the problem of seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE_FATAL(equal);
        plan_free(plan);
        problem_free(problem);
    }
    planner_free(planner);
}

void rule_test_validate(const char *name, uint64_t seeds)
{
    struct planner *planner = rule_test_configure(name);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct problem *problem = draw_problem(seed);
        if (problem)
            plan_free(run_configured(planner, problem));
        problem_free(problem);
    }
    planner_free(planner);
}

void rule_test_fail_each(const char *name)
{
    struct planner *planner = rule_test_configure(name);
    struct problem *none = made_problem(NULL, 0);
    plan_free(run_configured(planner, none));
    problem_free(none);
    const struct random_problem kind = {
        .most_buffers = 60, .steps = 30, .most_size = 90, .holes = true, .alignment = true};
    struct random_state random = random_seed(1);
    struct problem *problem = random_problem_create(&kind, &random);
    const struct planner_task task = planned_task(problem);
    CU_ASSERT_TRUE(problem->buffers > 20);
    planned_fail_each(planner, &task);
    problem_free(problem);
    planner_free(planner);
}

bool rule_test_conflict(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s])
                return true;
    return false;
}

static uint64_t choose_offset(const bool *taken, uint64_t size, uint64_t alignment, bool best)
{
    uint64_t chosen = UINT64_MAX, least = UINT64_MAX;
    for (uint64_t begin = 0, end; begin < RULE_TEST_BYTES; begin = end + 1) {
        for (end = begin; end < RULE_TEST_BYTES && !taken[end];)
            end++;
        uint64_t offset = (begin + alignment - 1) / alignment * alignment;
        if (end == begin || offset + size > end)
            continue;
        if (chosen == UINT64_MAX || (best && end - begin < least)) {
            chosen = offset;
            least = end - begin;
        }
    }
    return chosen;
}

static void place_one(const struct problem *problem, uint32_t buffer, bool best, uint64_t *offset)
{
    bool taken[RULE_TEST_BYTES] = {false};
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (b != buffer && offset[b] != PROBLEM_FREE && rule_test_conflict(problem, b, buffer))
            memset(taken + offset[b], true, problem->size[b]);
    offset[buffer] =
        choose_offset(taken, problem->size[buffer], problem_alignment(problem, buffer), best);
}

void rule_test_place(const struct problem *problem, const uint32_t *sorted, bool best,
                     uint64_t *offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t i = 0; i < problem->buffers; i++)
        if (offset[sorted[i]] == PROBLEM_FREE)
            place_one(problem, sorted[i], best, offset);
}

uint64_t rule_test_peak(const struct problem *problem, const uint64_t *offset)
{
    uint64_t peak = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (offset[b] + problem->size[b] > peak)
            peak = offset[b] + problem->size[b];
    return peak;
}

void rule_test_sort(const struct problem *problem, rule_test_before *before, uint32_t *sorted)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t place = 0;
        for (uint32_t a = 0; a < problem->buffers; a++)
            place += before(problem, a, b) || (a < b && !before(problem, b, a));
        sorted[place] = b;
    }
}
