#include <string.h>

#include "planning/problem/bound.h"
#include "planning/verify/plan.h"
#include "solvers/common/components.h"
#include "support/random_problem.h"
#include "support/testing.h"

enum { MOST = 14 };

static struct problem *make_problem(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    const struct random_problem kind = {.most_buffers = MOST,
                                        .steps = 30,
                                        .most_size = 9,
                                        .holes = seed % 2,
                                        .alignment = seed % 3 == 0};
    return random_problem_create(&kind, &random);
}

static void stack(const struct problem *problem, struct plan *plan)
{
    struct error error;
    uint64_t end = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t alignment = problem->alignment[b];
        plan->offset[b] = (end + alignment - 1) / alignment * alignment;
        end = plan->offset[b] + problem->size[b];
    }
    plan->status = PLAN_FEASIBLE;
    CU_ASSERT_EQUAL_FATAL(plan_set_peak(plan, problem, &error), STATUS_OK);
}

struct check {
    const struct parts *parts;
    struct plan *whole;
    uint32_t buffers; /* of all parts seen */
};

/* Stacks the part's buffers, and compares what comes back from the whole. */
static enum status stack_part(void *context, uint32_t part, const struct problem *problem,
                              struct error *error)
{
    struct check *check = context;
    uint64_t offset[MOST];
    struct plan *plan;
    TRY(plan_create(problem, &plan, error));
    stack(problem, plan);
    parts_put(check->parts, part, plan->offset, 1, check->whole);
    parts_take(check->parts, part, check->whole, offset);
    CU_ASSERT_EQUAL(memcmp(offset, plan->offset, problem->buffers * sizeof *offset), 0);
    CU_ASSERT_EQUAL(parts_peak_bytes(check->parts, part, check->whole), plan->measures.peak_bytes);
    check->buffers += problem->buffers;
    plan_free(plan);
    return STATUS_OK;
}

static uint32_t check_problem(const struct problem *problem, uint64_t bound_bytes)
{
    struct error error;
    struct verdict verdict;
    struct parts parts;
    struct check check = {.parts = &parts};
    CU_ASSERT_EQUAL_FATAL(parts_create(problem, bound_bytes, &parts, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &check.whole, &error), STATUS_OK);
    for (uint32_t i = 0; i < parts.count; i++)
        CU_ASSERT_EQUAL(parts_solve(&parts, i, stack_part, &check, &error), STATUS_OK);
    CU_ASSERT_EQUAL(check.buffers + parts.reduction->removed, problem->buffers);
    CU_ASSERT_EQUAL(parts_finish(&parts, check.whole, &error), STATUS_OK);
    verify_plan_pairwise(problem, check.whole, &verdict);
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    uint32_t count = parts.count;
    plan_free(check.whole);
    parts_clear(&parts);
    return count;
}

static void test_plans_of_parts_make_one(void)
{
    uint32_t several = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct problem *problem = make_problem(seed);
        struct error error;
        uint64_t bound_bytes;
        CU_ASSERT_EQUAL_FATAL(bound_peak(problem, &bound_bytes, &error), STATUS_OK);
        check_problem(problem, bound_bytes);
        several += check_problem(problem, 0) > 1;
        problem_free(problem);
    }
    CU_ASSERT_TRUE(several > 50);
}

static void test_units(void)
{
    struct error error;
    struct parts parts;
    struct plan *whole;
    struct problem *problem;
    const uint64_t units[] = {3};
    CU_ASSERT_EQUAL_FATAL(problem_create(&problem, "one", &error), STATUS_OK);
    CU_ASSERT_EQUAL(
        problem_add_buffer(problem, &(struct problem_buffer){"a", 8, 8, PROBLEM_FREE, -1}, &error),
        STATUS_OK);
    CU_ASSERT_EQUAL(problem_add_segment(problem, 0, 1, 0, 8, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(problem_finish(problem, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(parts_create(problem, 0, &parts, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &whole, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(parts.count, 1);
    parts_put(&parts, 0, units, 8, whole);
    CU_ASSERT_EQUAL(whole->offset[0], 24);
    CU_ASSERT_EQUAL(parts_peak_bytes(&parts, 0, whole), 32);
    plan_free(whole);
    parts_clear(&parts);
    problem_free(problem);
}

static void test_start(void)
{
    struct error error;
    struct problem *problem = make_problem(1);
    struct plan *plan;
    const struct plan *start;
    struct planner_task task = {.problem = problem};
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &error), STATUS_OK);
    CU_ASSERT_EQUAL(parts_find_start(&task, &start, &error), STATUS_OK);
    CU_ASSERT_PTR_NULL(start);
    task.start = plan;
    CU_ASSERT_EQUAL(parts_find_start(&task, &start, &error), STATUS_OK);
    CU_ASSERT_PTR_NULL(start);
    stack(problem, plan);
    CU_ASSERT_EQUAL(parts_find_start(&task, &start, &error), STATUS_OK);
    CU_ASSERT_PTR_EQUAL(start, plan);
    plan->measures.peak_bytes--;
    CU_ASSERT_EQUAL(parts_find_start(&task, &start, &error), STATUS_OK);
    CU_ASSERT_PTR_NULL(start);
    plan_free(plan);
    problem_free(problem);
}

static const struct test_case cases[] = {
    {"plans of parts make one of the whole", test_plans_of_parts_make_one},
    {"offsets in units", test_units},
    {"only a valid start counts", test_start},
};

TESTING_MAIN("solvers/parts", cases)
