#include "solvers/exact/solve.h"

#include <string.h>

#include "datasets/instance.h"
#include "solvers/exact/quick_plans.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

/* The search of all components as its callers drive it: in one go, or in slices. */

static struct instance *load(const char *name)
{
    struct instance *instance;
    must(instance_load(name, NULL, &instance, &error));
    return instance;
}

/* Up to the optimum, with a pause wherever there can be one where pause_ns is 0; *calls counts how
   often the search was asked to go on. */
static struct plan *solve(const struct planner_task *task, uint64_t pause_ns, uint32_t *calls)
{
    const struct exact_component_options options = exact_component_defaults(1);
    const struct exact_slice slice = {pause_ns, UINT64_MAX};
    struct exact_incumbent incumbent = {.task = task};
    struct exact_solve *search;
    bool advanced = true;
    must(plan_create(task->problem, &incumbent.plan, &error));
    must(exact_quick_plans_begin(&incumbent, &error));
    must(exact_solve_create(&incumbent, &options, &search, &error));
    for (*calls = 0; advanced && !exact_incumbent_is_solved(&incumbent); ++*calls)
        CU_ASSERT_EQUAL_FATAL(exact_solve_advance(search, &slice, &advanced), STATUS_OK);
    exact_solve_free(search);
    return incumbent.plan;
}

static const char *const names[] = {
    "generate:tight?buffers=80&seed=2",           "generate:tight?buffers=120&seed=3",
    "generate:tight?buffers=200&seed=4",          "perturbed:jitter_sizes?seed=7102:minimalloc/B",
    "perturbed:jitter_sizes?seed=8:minimalloc/E", "minimalloc/F",
};

enum { NAMES = sizeof names / sizeof *names };

/* A search that is paused again and again makes the same steps as one that is not. */
static void check_pauses(const struct planner_task *task)
{
    uint32_t whole_calls, calls;
    SCOPED(plan_release)
    struct plan *whole = solve(task, UINT64_MAX, &whole_calls), *parts = solve(task, 0, &calls);
    CU_ASSERT_TRUE(calls > whole_calls);
    CU_ASSERT_TRUE(exact_incumbent_is_solved(&(struct exact_incumbent){task, parts, 0, 0, false}));
    CU_ASSERT_EQUAL(whole->measures.peak_bytes, parts->measures.peak_bytes);
    CU_ASSERT_EQUAL(
        memcmp(whole->search->counter, parts->search->counter, sizeof whole->search->counter), 0);
    CU_ASSERT_EQUAL(memcmp(whole->offset, parts->offset, whole->buffers * sizeof *whole->offset),
                    0);
}

static void test_pauses_change_nothing(void)
{
    for (int i = 0; i < NAMES; i++) {
        struct instance *instance = load(names[i]);
        struct planner_task task = planned_task(instance->problem);
        check_pauses(&task);
        instance_free(instance);
    }
}

static void test_pauses_change_no_answer_to_a_capacity(void)
{
    struct instance *instance = load("minimalloc/D");
    struct planner_task task = planned_task(instance->problem);
    task.capacity_bytes = 1048576;
    check_pauses(&task);
    instance_free(instance);
}

static void offer(struct exact_incumbent *incumbent, const uint64_t *offset, uint64_t peak_bytes)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    must(plan_create(incumbent->task->problem, &plan, &error));
    memcpy(plan->offset, offset, plan->buffers * sizeof *offset);
    plan->measures.peak_bytes = peak_bytes;
    plan->status = PLAN_FEASIBLE;
    must(exact_incumbent_offer(incumbent, plan, &error));
    CU_ASSERT_EQUAL(incumbent->plan->measures.peak_bytes, peak_bytes);
}

/* Two piles. When the search begins, the first is as low as can be and the second is not. Before it
   goes on, somebody else offers a plan that is lower as a whole, but not in the first. */
static void test_offers_do_not_undo_what_was_settled(void)
{
    enum { BUFFERS = 6 };
    static const struct made_buffer rows[BUFFERS] = {{0, 1, 4}, {0, 1, 5}, {0, 1, 6},
                                                     {1, 2, 4}, {1, 2, 5}, {1, 2, 6}};
    const struct exact_component_options options = exact_component_defaults(1);
    const struct exact_slice slice = {UINT64_MAX, UINT64_MAX};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, BUFFERS);
    const struct planner_task task = planned_task(problem);
    struct exact_incumbent incumbent = {.task = &task};
    bool advanced = true;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(exact_solve_release) struct exact_solve *search = NULL;
    must(plan_create(problem, &plan, &error));
    must(search_record_create(&plan->search, &error));
    incumbent.plan = plan;
    plan->status = PLAN_TIMEOUT;
    plan->measures.lower_bound_bytes = 15;
    offer(&incumbent, (const uint64_t[BUFFERS]){0, 4, 9, 0, 5, 12}, 18);
    must(exact_solve_create(&incumbent, &options, &search, &error));
    offer(&incumbent, (const uint64_t[BUFFERS]){0, 4, 10, 0, 4, 10}, 16);
    CU_ASSERT_EQUAL_FATAL(exact_solve_advance(search, &slice, &advanced), STATUS_OK);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, 15);
}

static const struct test_case cases[] = {
    {"offers do not undo what was settled", test_offers_do_not_undo_what_was_settled},
    {"pauses change nothing", test_pauses_change_nothing},
    {"pauses change no answer to a capacity", test_pauses_change_no_answer_to_a_capacity},
};

TESTING_MAIN("solvers/exact/solve", cases)
