#include "planning/problem/bounds.h"
#include "planning/problem/copy.h"
#include "solvers/common/infeasible_subset.h"

#include <stdio.h>

#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* Exact for small problems: tries every order. */
static enum status plan_every_order(const struct planner *planner, const struct planner_task *task,
                                    struct plan *plan, struct error *fault)
{
    (void)planner;
    (void)fault;
    uint64_t least = every_order_peak(task->problem);
    plan->status = least <= task->capacity_bytes ? PLAN_OPTIMAL : PLAN_INFEASIBLE;
    return STATUS_OK;
}

static enum status plan_nothing(const struct planner *planner, const struct planner_task *task,
                                struct plan *plan, struct error *fault)
{
    (void)planner;
    (void)task;
    (void)fault;
    plan->status = PLAN_TIMEOUT;
    return STATUS_OK;
}

/* Knows only the load. */
static enum status plan_by_load(const struct planner *planner, const struct planner_task *task,
                                struct plan *plan, struct error *fault)
{
    uint64_t load_bytes;
    (void)planner;
    TRY(problem_load(task->problem, &load_bytes, NULL, fault));
    plan->status = load_bytes > task->capacity_bytes ? PLAN_INFEASIBLE : PLAN_TIMEOUT;
    return STATUS_OK;
}

static const struct planner by_load = {
    .name = "by_load", .flags = PLANNER_EXACT, .plan = plan_by_load};
static const struct planner every_order = {
    .name = "every_order", .flags = PLANNER_EXACT, .plan = plan_every_order};
static const struct planner nothing = {
    .name = "nothing", .flags = PLANNER_EXACT, .plan = plan_nothing};

static struct planner_task make_task(const struct problem *problem, uint64_t capacity_bytes)
{
    return (struct planner_task){
        .problem = problem, .capacity_bytes = capacity_bytes, .time_limit_ns = UINT64_MAX};
}

/* The subset without its i-th buffer; i = count for all of it. */
static uint64_t find_peak_without(const struct problem *problem,
                                  const struct infeasible_subset *subset, uint32_t i)
{
    SCOPED(problem_release) struct problem *part = NULL;
    uint64_t peak = 0;
    must(problem_create(&part, "part", &error));
    for (uint32_t k = 0; k < subset->count; k++)
        if (k != i)
            must(problem_add_copy(part, problem, subset->buffer[k], &error));
    must(problem_finish(part, &error));
    if (part->buffers)
        peak = every_order_peak(part);
    return peak;
}

static void check_random(uint64_t seed, uint32_t *smaller)
{
    static const struct random_problem kind = {
        .most_buffers = 7, .steps = 6, .most_size = 9, .holes = true};
    struct random_state random = random_seed(seed);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(infeasible_subset_free) struct infeasible_subset subset = {0};
    uint64_t capacity_bytes = every_order_peak(problem) - 1;
    const struct planner_task task = make_task(problem, capacity_bytes);
    must(infeasible_subset_find(&every_order, &task, &subset, &error));
    CU_ASSERT(subset.proved);
    CU_ASSERT(subset.irreducible);
    CU_ASSERT(find_peak_without(problem, &subset, subset.count) > capacity_bytes);
    for (uint32_t i = 0; i < subset.count; i++) {
        CU_ASSERT(find_peak_without(problem, &subset, i) <= capacity_bytes);
        CU_ASSERT(i == 0 || subset.buffer[i - 1] < subset.buffer[i]);
    }
    *smaller += subset.count < problem->buffers;
}

static void random_subsets_are_irreducible(void)
{
    enum { SEEDS = 150 };
    uint32_t smaller = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        check_random(seed, &smaller);
    printf(" %u of %d subsets leave something out", smaller, SEEDS);
    CU_ASSERT(smaller > SEEDS / 4);
}

static void what_fits_has_no_subset(void)
{
    static const struct random_problem kind = {.most_buffers = 5, .steps = 4, .most_size = 9};
    struct random_state random = random_seed(3);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    struct infeasible_subset subset;
    struct planner_task task = make_task(problem, every_order_peak(problem));
    must(infeasible_subset_find(&every_order, &task, &subset, &error));
    CU_ASSERT_FALSE(subset.proved);
    infeasible_subset_free(&subset);
    task.capacity_bytes = 0;
    must(infeasible_subset_find(&every_order, &task, &subset, &error));
    CU_ASSERT(subset.irreducible);
    CU_ASSERT_EQUAL(subset.count, 1);
    infeasible_subset_free(&subset);
}

static void nothing_is_claimed_without_proof(void)
{
    static const struct random_problem kind = {.most_buffers = 5, .steps = 4, .most_size = 9};
    struct random_state random = random_seed(4);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    struct infeasible_subset subset;
    struct planner_task task = make_task(problem, 0);
    must(infeasible_subset_find(&nothing, &task, &subset, &error));
    CU_ASSERT_FALSE(subset.proved);
    CU_ASSERT_FALSE(subset.irreducible);
    infeasible_subset_free(&subset);
    task.time_limit_ns = 0;
    must(infeasible_subset_find(&every_order, &task, &subset, &error));
    CU_ASSERT_FALSE(subset.proved);
    infeasible_subset_free(&subset);
}

static enum status find_once(const void *input, struct error *fault)
{
    const struct planner_task *task = input;
    SCOPED(infeasible_subset_free) struct infeasible_subset subset = {0};
    enum status status = infeasible_subset_find(&by_load, task, &subset, fault);
    return status;
}

static void failing_allocations_leak_nothing(void)
{
    static const struct random_problem kind = {.most_buffers = 5, .steps = 4, .most_size = 9};
    struct random_state random = random_seed(5);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    const struct planner_task task = make_task(problem, 8);
    fail_each(find_once, &task);
}

static const struct test_case cases[] = {
    {"random subsets are irreducible", random_subsets_are_irreducible},
    {"what fits has no subset", what_fits_has_no_subset},
    {"nothing is claimed without proof", nothing_is_claimed_without_proof},
    {"failing allocations leak nothing", failing_allocations_leak_nothing},
};

TESTING_MAIN("solvers/infeasible_subset", cases)
