/* Parts that all conflict with each other: against their definition, and against brute force. */

#include "solvers/common/join.h"

#include "planning/problem/copy.h"
#include "planning/problem/explicit_conflicts.h"
#include "planning/verify/problem/plan.h"
#include "solvers/find_solver.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

enum { MOST_PARTS = 3, MOST_BUFFERS = 4, MOST = MOST_PARTS * MOST_BUFFERS };

/* Random problems that all conflict with each other; up to three, in `parts`. */
static struct problem *join_random(uint64_t seed, uint32_t *parts)
{
    struct random_state random = random_seed(seed);
    const struct random_problem kind = {
        .most_buffers = MOST_BUFFERS - 1, .steps = 6, .most_size = 5};
    struct problem *joined = made_problem_start();
    struct problem_pair pair[MOST * MOST];
    uint32_t owner[MOST];
    size_t pairs = 0;
    *parts = 1 + (uint32_t)random_below(&random, MOST_PARTS);
    for (uint32_t p = 0; p < *parts; p++) {
        SCOPED(problem_release) struct problem *part = random_problem_create(&kind, &random);
        for (uint32_t b = 0; b < part->buffers; b++) {
            owner[joined->buffers] = p;
            must(problem_add_copy(joined, part, b, &error));
        }
    }
    for (uint32_t a = 0; a < joined->buffers; a++)
        for (uint32_t b = 0; b < a; b++)
            if (owner[a] != owner[b])
                pair[pairs++] = (struct problem_pair){a, b};
    must(problem_conflicts_add(&joined, pair, pairs, &error));
    must(problem_finish(joined, &error));
    return joined;
}

/* Everything of one part conflicts with everything of another, and no part falls apart: from its
   first buffer all can be reached over pairs that do not conflict. */
static void check_parts(const struct problem *problem, const struct join_parts *parts)
{
    uint32_t part_of[MOST], reached[MOST] = {0}, seen = 0;
    for (uint32_t p = 0; p < parts->count; p++)
        for (uint32_t i = parts->first[p]; i < parts->first[p + 1]; i++, seen++)
            part_of[parts->buffer[i]] = p;
    CU_ASSERT_EQUAL(seen, problem->buffers);
    for (uint32_t p = 0; p < parts->count; p++)
        reached[parts->buffer[parts->first[p]]] = 1;
    for (uint32_t turn = 0; turn < problem->buffers; turn++)
        for (uint32_t a = 0; a < problem->buffers; a++)
            for (uint32_t b = 0; b < problem->buffers; b++) {
                bool conflict = problem_conflicts_in_time(problem, a, b, PROBLEM_NO_LINE_END);
                CU_ASSERT(part_of[a] == part_of[b] || conflict);
                if (a != b && reached[a] && !conflict)
                    reached[b] = 1;
            }
    for (uint32_t b = 0; b < problem->buffers; b++)
        CU_ASSERT(reached[b] == 1);
}

static uint32_t count_parts(const struct problem *problem, uint64_t most_pairs)
{
    SCOPED(join_parts_clear) struct join_parts parts = {0};
    must(join_parts_find(problem, most_pairs, &parts, &error));
    return parts.count;
}

static void test_parts(void)
{
    for (uint64_t seed = 0; seed < TESTING_COUNT(2000, 200); seed++) {
        uint32_t joined;
        SCOPED(problem_release) struct problem *problem = join_random(seed, &joined);
        SCOPED(join_parts_clear) struct join_parts parts = {0};
        must(join_parts_find(problem, UINT64_MAX, &parts, &error));
        CU_ASSERT(parts.count >= joined);
        check_parts(problem, &parts);
    }
}

/* Whole lifetimes of few steps, which often fall into parts. */
static void test_parts_of_whole_lifetimes(void)
{
    static const struct random_problem kind = {.most_buffers = MOST, .steps = 5, .most_size = 5};
    uint32_t joined = 0;
    for (uint64_t seed = 0; seed < TESTING_COUNT(2000, 200); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(join_parts_clear) struct join_parts parts = {0};
        must(join_parts_find(problem, UINT64_MAX, &parts, &error));
        joined += parts.count > 1;
        check_parts(problem, &parts);
    }
    CU_ASSERT(joined >= TESTING_COUNT(200, 20));
}

/* What is fixed, aligned beyond the unit, or a window is no part. */
static void test_what_cannot_move(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_pile(4);
    CU_ASSERT_EQUAL(count_parts(problem, UINT64_MAX), 4);
    CU_ASSERT_EQUAL(count_parts(problem, 5), 1);
    must(problem_set_alignment(problem, 2, 2, &error));
    CU_ASSERT_EQUAL(count_parts(problem, UINT64_MAX), 1);
    must(problem_set_alignment(problem, 2, 3, &error));
    CU_ASSERT_EQUAL(count_parts(problem, UINT64_MAX), 4);
    must(problem_fix(problem, 1, 0, &error));
    CU_ASSERT_EQUAL(count_parts(problem, UINT64_MAX), 1);
}

/* From the stack of all buffers, whose parts are compressed. */
static void test_least_peaks(void)
{
    const struct planner *exact = find_solver("exact");
    for (uint64_t seed = 0; seed < TESTING_COUNT(600, 60); seed++) {
        uint32_t parts;
        SCOPED(problem_release) struct problem *problem = join_random(seed, &parts);
        SCOPED(plan_release) struct plan *start = planned_stack(problem);
        struct planner_task task = planned_task(problem);
        task.start = start;
        if (problem->buffers <= 8) {
            SCOPED(plan_release) struct plan *plan = planned(exact, &task);
            CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
            CU_ASSERT_EQUAL(plan->measures.peak_bytes, every_order_peak(problem));
            CU_ASSERT_EQUAL(plan->measures.peak_bytes, plan->measures.lower_bound_bytes);
            CU_ASSERT(planned_is_valid(problem, plan));
        }
    }
}

static void test_allocations(void)
{
    uint32_t parts;
    SCOPED(problem_release) struct problem *problem = join_random(7, &parts);
    struct planner_task task = planned_task(problem);
    planned_fail_each(find_solver("exact"), &task);
}

static const struct test_case cases[] = {
    {"parts are the components of the complement", test_parts},
    {"parts of whole lifetimes", test_parts_of_whole_lifetimes},
    {"what cannot be moved is one part", test_what_cannot_move},
    {"least peaks against brute force", test_least_peaks},
    {"allocations that fail", test_allocations},
};
TESTING_MAIN("solvers/common/join", cases)
