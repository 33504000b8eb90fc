#include "planning/problem/bounds.h"
#include "planning/problem/copy.h"
#include "solvers/common/infeasible_subset.h"

#include <stdio.h>

#include "support/fail_each.h"
#include "support/must.h"
#include "support/planned.h"
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

static const struct random_problem small = {.most_buffers = 5, .steps = 4, .most_size = 9};

/* The subset without its i-th buffer; i = count for all of it. */
static uint64_t find_peak_without(const struct problem *problem,
                                  const struct infeasible_subset *subset, uint32_t i)
{
    SCOPED(problem_release) struct problem *part = NULL;
    must(problem_create(&part, "part", &error));
    for (uint32_t k = 0; k < subset->count; k++)
        if (k != i)
            must(problem_add_copy(part, problem, subset->buffer[k], &error));
    must(problem_finish(part, &error));
    return part->buffers ? every_order_peak(part) : 0;
}

static void random_subsets_are_irreducible(void)
{
    enum { SEEDS = 150 };
    static const struct random_problem kind = {
        .most_buffers = 7, .steps = 6, .most_size = 9, .holes = true};
    uint32_t smaller = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(infeasible_subset_free) struct infeasible_subset subset = {0};
        struct planner_task task = planned_task(problem);
        task.capacity_bytes = every_order_peak(problem) - 1;
        must(infeasible_subset_find(&every_order, &task, &subset, &error));
        CU_ASSERT(subset.proved && subset.irreducible);
        CU_ASSERT(find_peak_without(problem, &subset, subset.count) > task.capacity_bytes);
        for (uint32_t i = 0; i < subset.count; i++) {
            CU_ASSERT(find_peak_without(problem, &subset, i) <= task.capacity_bytes);
            CU_ASSERT(i == 0 || subset.buffer[i - 1] < subset.buffer[i]);
        }
        smaller += subset.count < problem->buffers;
    }
    printf(" %u of %d subsets leave something out", smaller, SEEDS);
    CU_ASSERT(smaller > SEEDS / 4);
}

/* Nothing is claimed where the buffers fit, the planner knows too little, or there is no time. */
static void only_what_is_proved_is_claimed(void)
{
    struct random_state random = random_seed(3);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&small, &random);
    const struct {
        const struct planner *planner;
        uint64_t capacity_bytes, time_limit_ns;
        bool proved;
    } asked[] = {{&every_order, every_order_peak(problem), UINT64_MAX, false},
                 {&every_order, 0, UINT64_MAX, true},
                 {&by_load, every_order_peak(problem), UINT64_MAX, false},
                 {&every_order, 0, 0, false}};
    for (int i = 0; i < 4; i++) {
        SCOPED(infeasible_subset_free) struct infeasible_subset subset = {0};
        struct planner_task task = planned_task(problem);
        task.capacity_bytes = asked[i].capacity_bytes;
        task.time_limit_ns = asked[i].time_limit_ns;
        must(infeasible_subset_find(asked[i].planner, &task, &subset, &error));
        CU_ASSERT_EQUAL(subset.proved, asked[i].proved);
        CU_ASSERT_EQUAL(subset.irreducible, asked[i].proved);
        CU_ASSERT(!asked[i].proved || subset.count == 1);
    }
}

static enum status find_once(const void *input, struct error *fault)
{
    SCOPED(infeasible_subset_free) struct infeasible_subset subset = {0};
    return infeasible_subset_find(&by_load, input, &subset, fault);
}

static void failing_allocations_leak_nothing(void)
{
    struct random_state random = random_seed(5);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&small, &random);
    struct planner_task task = planned_task(problem);
    task.capacity_bytes = 8;
    fail_each(find_once, &task);
}

static const struct test_case cases[] = {
    {"random subsets are irreducible", random_subsets_are_irreducible},
    {"only what is proved is claimed", only_what_is_proved_is_claimed},
    {"failing allocations leak nothing", failing_allocations_leak_nothing},
};

TESTING_MAIN("solvers/infeasible_subset", cases)
