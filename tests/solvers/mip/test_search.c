#include <string.h>

#include "datasets/instance.h"
#include "solvers/find_solver.h"
#include "solvers/mip/component.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/model/build.h"
#include "solvers/mip/model/lines.h"
#include "solvers/mip/model/switches.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* How programs are searched; test_mip.c is about what they answer. */

/* Who wins the race is decided by work, not by time; on one thread nobody races. */
static void test_race_by_any_threads(void)
{
    enum { PROBLEMS = TESTING_COUNT(200, 15) };
    static const struct random_problem kind = {.most_buffers = 12, .steps = 8, .most_size = 9};
    uint32_t searched = 0;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct random_state random = random_seed(9000 + seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        struct planner_task task = {
            .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
        SCOPED(plan_release) struct plan *alone = planned(find_solver("ilp_race"), &task);
        SCOPED(plan_release) struct plan *first = planned(find_solver("ilp_cliques"), &task);
        task.threads = 2;
        SCOPED(plan_release) struct plan *two = planned(find_solver("ilp_race"), &task);
        task.threads = 3;
        SCOPED(plan_release) struct plan *three = planned(find_solver("ilp_race"), &task);
        if (alone->status == PLAN_UNSUPPORTED)
            return;
        CU_ASSERT_EQUAL(alone->status, PLAN_OPTIMAL);
        CU_ASSERT_EQUAL(alone->measures.nodes, first->measures.nodes);
        CU_ASSERT_EQUAL(alone->measures.peak_bytes, three->measures.peak_bytes);
        CU_ASSERT_EQUAL(two->status, PLAN_OPTIMAL);
        CU_ASSERT_EQUAL(three->status, PLAN_OPTIMAL);
        CU_ASSERT_EQUAL(two->measures.nodes, three->measures.nodes);
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_EQUAL(two->offset[b], three->offset[b]);
        searched += two->measures.nodes > 1;
    }
    CU_ASSERT_TRUE(searched > PROBLEMS / 10);
}

static enum status end_without_answer(const struct mip_question *question,
                                      struct mip_answer *answer, struct error *failure)
{
    (void)question, (void)failure;
    answer->crashed = true;
    return STATUS_OK;
}

/* A plan that was there before does not hide that the solver crashed. */
static void check_crash(const struct mip_formulation *formulation, const struct mip_solver *solver,
                        const char *reason)
{
    struct random_state random = random_seed(7);
    const struct random_problem kind = {.most_buffers = 6, .steps = 2, .most_size = 6};
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    SCOPED(plan_release) struct plan *plan = planned_stack(problem);
    const struct mip_way way = {
        .formulation = formulation, .solver = solver, .deadline_ns = UINT64_MAX};
    must(search_record_create(&plan->search, &error));
    for (int has_start = 1; has_start >= 0; has_start--) {
        plan->status = has_start ? PLAN_FEASIBLE : PLAN_TIMEOUT;
        plan->measures.lower_bound_bytes = 1;
        plan->reason[0] = '\0';
        must(mip_search(&way, &task, plan, &error));
        CU_ASSERT_EQUAL(plan->status, PLAN_CRASH);
        CU_ASSERT_EQUAL(plan->measures.lower_bound_bytes, 1);
        CU_ASSERT_STRING_EQUAL(plan->reason, reason);
    }
}

static void test_crash_is_said(void)
{
    static const struct mip_solver crashing = {.title = "S", .solve = end_without_answer};
    check_crash(&mip_formulation_cliques, &crashing, "S ended without an answer");
}

/* A row with a column twice, which GLPK refuses by ending its process. */
static void add_column_twice(struct mip_model *model, const double *values)
{
    (void)values;
    mip_add_entry(model, 0, 1);
    mip_add_entry(model, 0, 1);
    mip_close_row(model, 0);
}

static void test_glpk_does_not_end_the_process(void)
{
    struct mip_formulation formulation = mip_formulation_cliques;
    formulation.separate = add_column_twice;
    if (mip_solver_glpk.solve)
        check_crash(&formulation, &mip_solver_glpk, "GLPK ended without an answer");
}

/* Plans a generated problem without waste; NULL where this build has no GLPK. */
static struct plan *plan_tight(const char *planner_name, const char *settings)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(planner_release) struct planner *planner = NULL;
    must(instance_load("generate:tight?buffers=40&seed=5", NULL, &instance, &error));
    must(planner_configure(find_solver(planner_name), settings, &planner, &error));
    const struct planner_task task = {
        .problem = instance->problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    struct plan *plan = planned(planner, &task);
    if (plan->status == PLAN_UNSUPPORTED) {
        plan_free(plan);
        return NULL;
    }
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    CU_ASSERT_TRUE(planned_is_valid(instance->problem, plan));
    CU_ASSERT_EQUAL(plan->measures.nodes, 0);
    return plan;
}

/* Where a plan at the bound is made buffer by buffer, no large program is given to the solver. */
static void test_plans_before_the_relaxation(void)
{
    SCOPED(plan_release) struct plan *plan = plan_tight("ilp_cliques", NULL);
    if (!plan)
        return;
    CU_ASSERT_TRUE(plan->search->counter[SEARCH_COLUMNS] > 0);
    CU_ASSERT_EQUAL(plan->search->counter[SEARCH_ROOT_NS], 0);
}

/* Where our own search finds a plan at the bound, there is no program. */
static void test_start_of_our_own_search(void)
{
    SCOPED(plan_release) struct plan *plan = plan_tight("ilp_positions", "start=2");
    if (!plan)
        return;
    CU_ASSERT_EQUAL(plan->search->counter[SEARCH_COLUMNS], 0);
}

/* After conclusions from what has changed, all of them together find nothing more. */
static void test_conclusions_are_complete(void)
{
    enum { PROBLEMS = TESTING_COUNT(2000, 400) };
    const struct mip_setup setup = {
        .formulation = &mip_formulation_cliques, .switches = MIP_ALL, .upper_bytes = 40};
    static const struct random_problem kind = {
        .most_buffers = 9, .steps = 8, .most_size = 4, .holes = true, .windows = true};
    uint32_t drawn = 0;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct random_state random = random_seed(12000 + seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(mip_model_release) struct mip_model *model = NULL;
        SCOPED(mip_pairs_copy_free) struct mip_pairs some = {0}, all = {0};
        must(mip_model_create(problem, &setup, &model, &error));
        must(mip_pairs_copy(&model->pairs, &some, &error));
        must(mip_pairs_copy(&model->pairs, &all, &error));
        bool is_sound = !model->is_infeasible;
        for (uint32_t p = 0; p < some.count && is_sound; p++) {
            if (some.direction[p] == MIP_OPEN)
                mip_pairs_direct(&some, p, 1 + random_below(&random, 2));
            is_sound = mip_lines_propagate(&some, MIP_ALL);
        }
        if (!is_sound)
            continue;
        mip_pairs_restore(&some, &all);
        for (uint32_t b = 0; b < problem->buffers; b++)
            all.changed[b] = all.round;
        CU_ASSERT_TRUE(mip_lines_propagate(&all, MIP_ALL));
        size_t bytes = problem->buffers * sizeof *all.lowest;
        CU_ASSERT_EQUAL(memcmp(all.lowest, some.lowest, bytes), 0);
        CU_ASSERT_EQUAL(memcmp(all.highest, some.highest, bytes), 0);
        drawn += some.work > 0;
    }
    CU_ASSERT_TRUE(drawn > PROBLEMS / 10);
}

static const struct test_case cases[] = {
    {"the race has one plan for any threads", test_race_by_any_threads},
    {"a crash of a solver is said", test_crash_is_said},
    {"plans are made before the relaxation", test_plans_before_the_relaxation},
    {"a start may be our own search's", test_start_of_our_own_search},
    {"what GLPK refuses does not end the process", test_glpk_does_not_end_the_process},
    {"conclusions from changes are complete", test_conclusions_are_complete},
};

TESTING_MAIN("solvers/mip/search", cases)
