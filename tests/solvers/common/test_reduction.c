#include <stdio.h>

#include "planning/arena/fit.h"
#include "planning/problem/bound.h"
#include "planning/problem/unit.h"
#include "planning/verify/plan.h"
#include "solvers/common/reduction.h"
#include "solvers/mip/model/model.h"
#include "support/random_problem.h"
#include "support/testing.h"

static struct reduction *reduce(const struct problem *problem, uint64_t bound_bytes)
{
    struct error error;
    struct reduction *reduction;
    CU_ASSERT_EQUAL_FATAL(
        reduction_create(problem, bound_bytes, problem_unit_bytes(problem), &reduction, &error),
        STATUS_OK);
    return reduction;
}

/* Places what is kept in a random order on top of each other or in gaps, which any solver might. */
static uint64_t place_kept(const struct reduction *reduction, const struct problem *problem,
                           struct random_state *random, struct plan *plan)
{
    struct interval taken[64];
    struct error error;
    uint32_t kept = reduction->first[reduction->components], order[64];
    uint64_t peak = 0;
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t other = (uint32_t)random_below(random, i + 1);
        order[i] = order[other];
        order[other] = reduction->kept[i];
    }
    for (uint32_t i = 0; i < kept; i++) {
        const struct fit *fit = fit_at((uint32_t)random_below(random, fit_count()));
        CU_ASSERT_EQUAL_FATAL(
            fit_place(fit, problem, reduction->conflicts, order[i], taken, plan, &error),
            STATUS_OK);
        if (plan->offset[order[i]] + problem->size[order[i]] > peak)
            peak = plan->offset[order[i]] + problem->size[order[i]];
    }
    return peak;
}

static bool waiting_find_a_place(const struct problem *problem, uint64_t bound_bytes,
                                 struct random_state *random, uint32_t *waited)
{
    struct error error;
    struct verdict verdict;
    struct plan *plan;
    struct reduction *reduction = reduce(problem, bound_bytes);
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &error), STATUS_OK);
    uint64_t peak = place_kept(reduction, problem, random, plan);
    CU_ASSERT_EQUAL_FATAL(reduction_place_waiting(reduction, problem, plan, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(plan_set_peak(plan, problem, &error), STATUS_OK);
    verify_plan_pairwise(problem, plan, &verdict);
    bool found = verdict.fault == VERIFY_VALID &&
                 plan->measures.peak_bytes <= (peak > bound_bytes ? peak : bound_bytes);
    *waited += reduction->removed;
    plan_free(plan);
    reduction_free(reduction);
    return found;
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
        struct problem *problem = random_problem_create(&kind, &random);
        struct error error;
        uint64_t bound;
        CU_ASSERT_EQUAL_FATAL(bound_peak(problem, &bound, &error), STATUS_OK);
        if (!waiting_find_a_place(problem, bound, &random, &waited)) {
            printf("seed %llu\n", (unsigned long long)seed);
            CU_FAIL("a buffer that waited rises above the bound");
        }
        problem_free(problem);
    }
    CU_ASSERT_TRUE(waited > 3000);
}

/* Every buffer is kept in one component or waits, and components do not conflict. */
static void test_components(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_state random = random_seed(seed);
        const struct random_problem kind = {.most_buffers = 14, .steps = 30, .most_size = 9};
        struct problem *problem = random_problem_create(&kind, &random);
        struct reduction *reduction = reduce(problem, 0);
        uint32_t component[14];
        CU_ASSERT_EQUAL(reduction->removed, 0);
        CU_ASSERT_EQUAL_FATAL(reduction->first[reduction->components], problem->buffers);
        for (uint32_t c = 0; c < reduction->components; c++)
            for (uint32_t i = reduction->first[c]; i < reduction->first[c + 1]; i++)
                component[reduction->kept[i]] = c;
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint64_t i = reduction->conflicts->first[b];
                 i < reduction->conflicts->first[b + 1]; i++)
                CU_ASSERT_EQUAL(component[b], component[reduction->conflicts->other[i]]);
        reduction_free(reduction);
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"what waits stays below the bound", test_waiting_stay_below_the_bound},
    {"components", test_components},
};

TESTING_MAIN("solvers/reduction", cases)
