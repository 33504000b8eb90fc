#include <stdio.h>

#include "harness/catalogue/planners.h"
#include "planning/verify/problem/plan.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"

/* Every planner on problems with several segments, byte windows, alignment, fixed offsets and
   conflicts of pairs. */

enum { PROBLEMS = TESTING_COUNT(60, 15), MOST_BUFFERS = 7 };

static struct problem *draw(uint64_t seed)
{
    const struct random_problem kind = {.most_buffers = MOST_BUFFERS,
                                        .steps = 10,
                                        .most_size = 9,
                                        .holes = true,
                                        .many_holes = seed % 2,
                                        .windows = seed % 4 < 3,
                                        .alignment = seed % 3 == 0,
                                        .fixed = seed % 7 == 0,
                                        .conflicts = seed % 5 < 2};
    struct random_state random = random_seed(seed);
    return random_problem_create(&kind, &random);
}

static struct plan *run_planner(const struct planner *planner, const struct problem *problem)
{
    struct plan *plan;
    struct planner_task task = planned_task(problem);
    task.seed = 5;
    must(plan_create(problem, &plan, &error));
    if (planner_plan(planner, &task, plan, &error))
        printf("\n    %s: %s\n", planner->name, error.text);
    return plan;
}

static bool is_valid(const struct problem *problem, const struct plan *plan)
{
    struct verdict swept;
    must(verify_plan(problem, plan, &swept, &error));
    CU_ASSERT_EQUAL(swept.fault == VERIFY_VALID, planned_is_valid(problem, plan));
    return swept.fault == VERIFY_VALID;
}

/* What a planner's plans showed. */
struct record {
    bool wrong, uses_windows, uses_holes;
    bool gains_by_windows;
    bool refuses; /* problems with windows, or with many sizes */
};

static void test_every_planner(void)
{
    for (uint32_t i = 0; i < planners_count(); i++) {
        const struct planner *planner = planners_at(i);
        struct record record = {0};
        for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
            /* With whole windows, and without holes. */
            SCOPED(problem_release) struct problem *given = draw(seed);
            SCOPED(problem_release) struct problem *wide = random_problem_widen(given);
            SCOPED(problem_release) struct problem *filled = random_problem_fill(given);
            if (!planned_can_be(filled))
                continue;
            SCOPED(plan_release) struct plan *plan = run_planner(planner, given);
            SCOPED(plan_release) struct plan *whole = run_planner(planner, wide);
            if (plan->status == PLAN_UNSUPPORTED || whole->status == PLAN_UNSUPPORTED) {
                /* Holes of random problems are those of no recordings. */
                record.refuses = strcmp(planner->family, "ilp") == 0;
                CU_ASSERT_TRUE(record.refuses || strcmp(planner->name, "cudagraph_pool") == 0);
                continue;
            }
            record.wrong |= !plan_found(plan) || !is_valid(given, plan);
            record.wrong |= !plan_found(whole) || !is_valid(wide, whole);
            record.uses_windows |= !is_valid(wide, plan);
            record.uses_holes |= !is_valid(filled, whole);
            record.gains_by_windows |= plan->measures.peak_bytes < whole->measures.peak_bytes;
        }
        bool windows = !(planner->flags & PLANNER_NO_WINDOWS);
        bool holes = !(planner->flags & PLANNER_NO_HOLES);
        bool as_windows = record.uses_windows == windows && (record.gains_by_windows || !windows);
        bool as_said =
            (as_windows || record.refuses) && record.uses_holes == holes && !record.wrong;
        if (planner->flags & PLANNER_UNSAFE)
            continue;
        if (!as_said)
            printf("\n    %s: %s%s%s%s\n", planner->name, record.wrong ? "wrong plans, " : "",
                   record.uses_windows ? "windows" : "no windows",
                   record.gains_by_windows ? " that gain" : "",
                   record.uses_holes ? ", holes" : ", no holes");
        CU_ASSERT_TRUE(as_said);
    }
}

static const struct test_case cases[] = {
    {"every planner does with holes and windows what its flags say", test_every_planner},
};
TESTING_MAIN("harness/windows", cases)
