#include <stdio.h>
#include <string.h>

#include "planning/arena/fit.h"
#include "planning/problem/bounds.h"
#include "solvers/common/components.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
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

struct check {
    const struct components *components;
    struct plan *whole;
    uint32_t buffers; /* of all components seen */
};

/* Stacks the component's buffers, and compares what comes back from the whole. */
static enum status stack_component(void *context, uint32_t component, const struct problem *problem,
                                   struct error *fault)
{
    struct check *check = context;
    uint64_t offset[MOST];
    SCOPED(plan_release) struct plan *plan = planned_stack(problem);
    (void)fault;
    components_put(check->components, component, plan->offset, 1, check->whole);
    components_take(check->components, component, check->whole, offset);
    CU_ASSERT_EQUAL(memcmp(offset, plan->offset, problem->buffers * sizeof *offset), 0);
    CU_ASSERT_EQUAL(components_peak_bytes(check->components, component, check->whole),
                    plan->measures.peak_bytes);
    check->buffers += problem->buffers;
    return STATUS_OK;
}

static uint32_t check_problem(const struct problem *problem, uint64_t bound_bytes)
{
    SCOPED(components_clear) struct components components = {0};
    SCOPED(plan_release) struct plan *whole = NULL;
    must(components_create(problem, bound_bytes, &components, &error));
    must(plan_create(problem, &whole, &error));
    struct check check = {.components = &components, .whole = whole};
    for (uint32_t i = 0; i < components.count; i++)
        must(components_solve(&components, i, stack_component, &check, &error));
    CU_ASSERT_EQUAL(check.buffers + components.waiting_count, problem->buffers);
    must(components_finish(&components, whole, &error));
    CU_ASSERT(planned_is_valid(problem, whole));
    return components.count;
}

static void test_plans_of_components_make_one(void)
{
    uint32_t several = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        uint64_t bound_bytes;
        must(bound_peak(problem, &bound_bytes, &error));
        check_problem(problem, bound_bytes);
        several += check_problem(problem, 0) > 1;
    }
    CU_ASSERT_TRUE(several > 50);
}

static void test_units(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    SCOPED(components_clear) struct components components = {0};
    SCOPED(plan_release) struct plan *whole = NULL;
    const uint64_t units[] = {3};
    made_problem_buffer(problem, "a", 8, 8, PROBLEM_FREE);
    made_problem_segment(problem, (struct problem_segment){0, 1, 0, 8});
    made_problem_finish(problem);
    must(components_create(problem, 0, &components, &error));
    must(plan_create(problem, &whole, &error));
    CU_ASSERT_EQUAL_FATAL(components.count, 1);
    components_put(&components, 0, units, 8, whole);
    CU_ASSERT_EQUAL(whole->offset[0], 24);
    CU_ASSERT_EQUAL(components_peak_bytes(&components, 0, whole), 32);
}

static void test_start(void)
{
    SCOPED(problem_release) struct problem *problem = make_problem(1);
    struct plan *plan;
    const struct plan *start;
    struct planner_task task = {.problem = problem};
    must(plan_create(problem, &plan, &error));
    must(components_find_start(&task, &start, &error));
    CU_ASSERT_PTR_NULL(start);
    task.start = plan;
    must(components_find_start(&task, &start, &error));
    CU_ASSERT_PTR_NULL(start);
    plan_free(plan);
    task.start = plan = planned_stack(problem);
    must(components_find_start(&task, &start, &error));
    CU_ASSERT_PTR_EQUAL(start, plan);
    plan->measures.peak_bytes--;
    must(components_find_start(&task, &start, &error));
    CU_ASSERT_PTR_NULL(start);
    plan_free(plan);
}

/* Places what is kept in a random order on top of each other or in gaps, which any solver might.
   True if then all that waited find places below the bound, or below what is kept. */
static bool waiting_find_a_place(const struct problem *problem, uint64_t bound_bytes,
                                 struct random_state *random, uint32_t *waited)
{
    SCOPED(components_clear) struct components components = {0};
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct interval taken[64];
    uint32_t order[64];
    uint64_t most = bound_bytes;
    must(components_create(problem, bound_bytes, &components, &error));
    must(conflicts_create(problem, &conflicts, &error));
    must(plan_create(problem, &plan, &error));
    const struct fit_neighbours neighbours = {problem, conflicts, taken};
    uint32_t kept = components.first[components.count];
    memcpy(order, components.kept, kept * sizeof *order);
    random_shuffle(random, order, kept);
    for (uint32_t i = 0; i < kept; i++) {
        const struct fit *fit = fit_find(random_below(random, 2) ? "first" : "best");
        must(fit_place(fit, &neighbours, order[i], plan, &error));
        uint64_t end = plan->offset[order[i]] + problem->size[order[i]];
        most = end > most ? end : most;
    }
    must(components_finish(&components, plan, &error));
    *waited += components.waiting_count;
    return planned_is_valid(problem, plan) && plan->measures.peak_bytes <= most;
}

static void test_waiting_stay_below_the_bound(void)
{
    uint32_t waited = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {.most_buffers = 14,
                                            .steps = 20,
                                            .most_size = 1 + seed % 30,
                                            .holes = seed % 2,
                                            .alignment = seed % 3 == 0};
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        uint64_t bound;
        must(bound_peak(problem, &bound, &error));
        if (!waiting_find_a_place(problem, bound, &random, &waited)) {
            printf("seed %llu\n", (unsigned long long)seed);
            CU_FAIL("a buffer that waited rises above the bound");
        }
    }
    CU_ASSERT_TRUE(waited > 3000);
}

/* Every buffer is kept in one component or waits, and components do not conflict. */
static void test_components_share_no_conflict(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {.most_buffers = MOST, .steps = 30, .most_size = 9};
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(components_clear) struct components components = {0};
        SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
        uint32_t component[MOST];
        must(components_create(problem, 0, &components, &error));
        must(conflicts_create(problem, &conflicts, &error));
        CU_ASSERT_EQUAL(components.waiting_count, 0);
        CU_ASSERT_EQUAL_FATAL(components.first[components.count], problem->buffers);
        for (uint32_t c = 0; c < components.count; c++)
            for (uint32_t i = components.first[c]; i < components.first[c + 1]; i++)
                component[components.kept[i]] = c;
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++)
                CU_ASSERT_EQUAL(component[b], component[conflicts->other[i]]);
    }
}

static const struct test_case cases[] = {
    {"what waits stays below the bound", test_waiting_stay_below_the_bound},
    {"components share no conflict", test_components_share_no_conflict},
    {"plans of components make one of the whole", test_plans_of_components_make_one},
    {"offsets in units", test_units},
    {"only a valid start counts", test_start},
};

TESTING_MAIN("solvers/common/components", cases)
