#include <stdio.h>

#include "datasets/instance.h"
#include "planning/problem/bounds.h"
#include "solvers/mip/model/build.h"
#include "solvers/mip/model/switches.h"
#include "solvers/mip/round.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

enum { PROBLEMS = TESTING_COUNT(200, 60), MUCH_WORK = 1000000 };

static const uint64_t most_bytes = 40;

static struct problem *make_problem(uint64_t seed)
{
    static const struct random_problem kinds[] = {
        {.most_buffers = 7, .steps = 7, .most_size = 4},
        {.most_buffers = 6, .steps = 7, .most_size = 4, .holes = true, .windows = true},
        {.most_buffers = 7, .steps = 7, .most_size = 5, .alignment = true}};
    struct random_state random = random_seed(seed);
    return random_problem_create(&kinds[seed % 3], &random);
}

/* The program of all plans up to upper_bytes. */
static struct mip_model *make_model(const struct problem *problem, uint64_t upper_bytes)
{
    struct mip_setup setup = {.formulation = mip_formulation_find("cliques"),
                              .switches = MIP_ALL,
                              .upper_bytes = upper_bytes};
    struct mip_model *model;
    must(bound_peak(problem, &setup.bound_bytes, &error));
    must(mip_model_create(problem, &setup, &model, &error));
    return model;
}

/* Also where the upper end is above the least peak, and there none of a start counts that is not
   lower. */
static void test_plans_before_a_relaxation(void)
{
    uint32_t found_at[3] = {0}, tried = 0, better = 0, starts = 0;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        uint64_t least_bytes = brute_force_peak(problem, most_bytes);
        SCOPED(plan_release) struct plan *stack = planned_stack(problem);
        SCOPED(plan_release) struct plan *none = NULL;
        must(plan_create(problem, &none, &error));
        uint64_t upper_bytes[3] = {least_bytes, least_bytes + 3, stack->measures.peak_bytes};
        tried++;
        for (int i = 0; i < 3; i++) {
            SCOPED(mip_rounder_release) struct mip_rounder *rounder = NULL;
            SCOPED(mip_model_release)
            struct mip_model *model = make_model(problem, upper_bytes[i]);
            CU_ASSERT_FALSE_FATAL(model->is_infeasible);
            uint64_t work = MUCH_WORK, most = upper_bytes[i] - (i == 2);
            const struct plan *found;
            must(mip_rounder_create(model, i == 2 ? stack : none, &rounder, &error));
            must(mip_rounder_begin(rounder, UINT64_MAX, &work, &found));
            CU_ASSERT_TRUE(work > 0);
            starts += i == 2 && most >= least_bytes;
            if (!found)
                continue;
            CU_ASSERT_TRUE(planned_is_valid(problem, found));
            CU_ASSERT_TRUE(found->measures.peak_bytes <= most);
            CU_ASSERT_TRUE(work < MUCH_WORK);
            found_at[i]++;
            better += found->measures.peak_bytes < most;
        }
    }
    CU_ASSERT_EQUAL(found_at[0], tried);
    CU_ASSERT_EQUAL(found_at[1], tried);
    CU_ASSERT_EQUAL(found_at[2], starts);
    CU_ASSERT_TRUE(better > tried / 4);
}

/* Plans without waste are found in the work for some ten dives: a dive that ends at its first
   mistake, or takes any number of them, finds fewer. */
static void test_mistakes_are_put_right(void)
{
    uint32_t found_plans = 0;
    for (int seed = 1; seed <= 12; seed++) {
        char name[60];
        SCOPED(instance_release) struct instance *instance = NULL;
        SCOPED(plan_release) struct plan *none = NULL;
        SCOPED(mip_model_release) struct mip_model *model = NULL;
        SCOPED(mip_rounder_release) struct mip_rounder *rounder = NULL;
        const struct plan *found;
        uint64_t work = 200000, load_bytes;
        snprintf(name, sizeof name, "generate:tight?buffers=30&seed=%d", seed);
        must(instance_load(name, NULL, &instance, &error));
        must(plan_create(instance->problem, &none, &error));
        must(bound_peak(instance->problem, &load_bytes, &error));
        model = make_model(instance->problem, load_bytes);
        must(mip_rounder_create(model, none, &rounder, &error));
        must(mip_rounder_begin(rounder, UINT64_MAX, &work, &found));
        found_plans += found != NULL;
    }
    CU_ASSERT_TRUE(found_plans >= 11);
}

/* Neither without work, nor after the deadline. */
static void test_nothing_is_made_without_leave(void)
{
    for (uint64_t seed = 0; seed < 9; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        SCOPED(plan_release) struct plan *none = NULL;
        must(plan_create(problem, &none, &error));
        for (int i = 0; i < 2; i++) {
            SCOPED(mip_rounder_release) struct mip_rounder *rounder = NULL;
            SCOPED(mip_model_release)
            struct mip_model *model = make_model(problem, most_bytes);
            const struct plan *found;
            uint64_t work = i == 0 ? 0 : MUCH_WORK;
            must(mip_rounder_create(model, none, &rounder, &error));
            must(mip_rounder_begin(rounder, i == 1 ? 0 : UINT64_MAX, &work, &found));
            CU_ASSERT_PTR_NULL(found);
            CU_ASSERT_EQUAL(work, 0);
        }
    }
}

/* The solver does `work` before the first call and `later` before each that follows. Each plan that
   is handed over keeps all rows and is lower than the one before and than the start; in the end it
   is the lowest. */
static void hand_over(uint64_t work, uint64_t later, uint32_t *handed, uint32_t *reached)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = make_problem(seed);
        SCOPED(plan_release) struct plan *stack = planned_stack(problem);
        SCOPED(mip_rounder_release) struct mip_rounder *rounder = NULL;
        SCOPED(mip_model_release)
        struct mip_model *model = make_model(problem, stack->measures.peak_bytes);
        double values[512] = {0}, found[512];
        uint64_t last = stack->measures.peak_bytes;
        const struct plan *best;
        CU_ASSERT_TRUE_FATAL(!model->is_infeasible && model->columns <= 512);
        must(mip_rounder_create(model, stack, &rounder, &error));
        for (int call = 0; call < 20; call++) {
            if (!mip_rounder_round(rounder, values, call ? later : work, found))
                continue;
            CU_ASSERT_TRUE(mip_model_holds(model, found));
            CU_ASSERT_TRUE((uint64_t)found[0] * model->scale < last);
            last = (uint64_t)found[0] * model->scale;
            ++*handed;
        }
        must(mip_rounder_best(rounder, &best));
        CU_ASSERT_TRUE(planned_is_valid(problem, best));
        CU_ASSERT_TRUE(best->measures.peak_bytes >= last);
        *reached += last == brute_force_peak(problem, most_bytes);
    }
}

static void test_plans_of_relaxations(void)
{
    uint32_t none = 0, once = 0, more = 0, handed = 0, reached = 0;
    hand_over(0, 0, &none, &reached);
    hand_over(2, 0, &once, &reached); /* leave for one dive */
    hand_over(2, 2, &more, &reached);
    CU_ASSERT_TRUE(none == 0 && once > 0 && more > once);
    reached = 0;
    hand_over(10000, 10000, &handed, &reached);
    CU_ASSERT_TRUE(handed > PROBLEMS / 3);
    CU_ASSERT_TRUE(reached > PROBLEMS * 9 / 10);
}

static const struct test_case cases[] = {
    {"plans before a relaxation", test_plans_before_a_relaxation},
    {"mistakes are put right", test_mistakes_are_put_right},
    {"nothing is made without leave", test_nothing_is_made_without_leave},
    {"plans of relaxations", test_plans_of_relaxations},
};

TESTING_MAIN("solvers/mip/round", cases)
