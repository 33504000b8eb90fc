#include <stdio.h>

#include "harness/catalogue/planners.h"
#include "planning/verify/fixed.h"
#include "planning/verify/plan.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/verify_pairwise.h"

/* Every planner on problems with several segments, byte windows, alignment, fixed offsets and
   conflicts of pairs. */

enum { PROBLEMS = TESTING_COUNT(60, 15), MOST_BUFFERS = 7 };

/* A problem, with whole windows, and without holes. */
struct variants {
    struct problem *given, *wide, *filled;
};

static void free_variants(struct variants *variants)
{
    problem_free(variants->given);
    problem_free(variants->wide);
    problem_free(variants->filled);
}

/* False where fixed buffers overlap, wholly and without holes. */
static bool draw_variants(uint64_t seed, struct variants *variants)
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
    struct verdict verdict;
    variants->given = random_problem_create(&kind, &random);
    variants->wide = random_problem_widen(variants->given);
    variants->filled = random_problem_fill(variants->given);
    must(verify_fixed(variants->filled, &verdict, &error));
    if (verdict.fault)
        free_variants(variants);
    return verdict.fault == VERIFY_VALID;
}

static struct plan *run_planner(const struct planner *planner, const struct problem *problem)
{
    struct plan *plan;
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX, .seed = 5};
    must(plan_create(problem, &plan, &error));
    if (planner_plan(planner, &task, plan, &error))
        printf("\n    %s: %s\n", planner->name, error.text);
    return plan;
}

static bool is_valid(const struct problem *problem, const struct plan *plan)
{
    struct verdict swept, pairwise;
    must(verify_plan(problem, plan, &swept, &error));
    verify_plan_pairwise(problem, plan, &pairwise);
    CU_ASSERT_EQUAL(swept.fault == VERIFY_VALID, pairwise.fault == VERIFY_VALID);
    return swept.fault == VERIFY_VALID;
}

/* What a planner's plans showed. */
struct record {
    bool wrong, uses_windows, uses_holes;
    bool gains_by_windows;
};

static void test_every_planner(void)
{
    for (uint32_t i = 0; i < planners_count(); i++) {
        const struct planner *planner = planners_at(i);
        struct record record = {0};
        for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
            struct variants variants;
            if (!draw_variants(seed, &variants))
                continue;
            struct plan *plan = run_planner(planner, variants.given);
            struct plan *whole = run_planner(planner, variants.wide);
            record.wrong |= !plan_found(plan) || !is_valid(variants.given, plan);
            record.wrong |= !plan_found(whole) || !is_valid(variants.wide, whole);
            record.uses_windows |= !is_valid(variants.wide, plan);
            record.uses_holes |= !is_valid(variants.filled, whole);
            record.gains_by_windows |= plan->measures.peak_bytes < whole->measures.peak_bytes;
            plan_free(plan);
            plan_free(whole);
            free_variants(&variants);
        }
        bool windows = !(planner->flags & PLANNER_NO_WINDOWS);
        bool holes = !(planner->flags & PLANNER_NO_HOLES);
        bool as_said = record.uses_windows == windows && record.uses_holes == holes &&
                       (record.gains_by_windows || !windows) && !record.wrong;
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
