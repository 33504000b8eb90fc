#include "planning/arena/fit.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/testing.h"

/* Where the third buffer comes, of three that live together, the others of 4 and 6 bytes, when
   these are at some offsets; UINT64_MAX when it is refused. Another one lives later. */
static uint64_t place_third(const char *fit, uint64_t bytes, const uint64_t offset[2])
{
    SCOPED(problem_release)
    struct problem *problem =
        made_problem((const struct made_buffer[]){{0, 5, 4}, {0, 5, 6}, {0, 5, 1}, {5, 6, 9}}, 4);
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct interval taken[2];
    problem_resize(problem, 2, bytes);
    must(conflicts_create(problem, &conflicts, &error));
    must(plan_create(problem, &plan, &error));
    CU_ASSERT_EQUAL(fit_most_taken(problem, conflicts), 2);
    plan->offset[0] = offset[0];
    plan->offset[1] = offset[1];
    plan->offset[3] = 0;
    enum status status = fit_place(
        fit_find(fit), &(struct fit_neighbours){problem, conflicts, taken}, 2, plan, &error);
    CU_ASSERT_TRUE(status == STATUS_OK || status == STATUS_BAD_INPUT);
    return status ? UINT64_MAX : plan->offset[2];
}

static void test_third(void)
{
    static const struct {
        const char *fit;
        uint64_t bytes, neighbour[2], found;
    } rows[] = {
        {"first", 2, {2, 9}, 0},
        {"first", 3, {2, 9}, 6},
        {"best", 2, {2, 9}, 0},
        {"worst", 2, {2, 9}, 6},
        {"top", 2, {2, 9}, 15},
        {"first", 4, {2, 9}, 15},
        /* in whatever order the neighbours come, and where they overlap each other */
        {"first", 3, {9, 0}, 6},
        {"first", 3, {1, 0}, 6},
        /* neighbours without a place */
        {"first", 3, {PROBLEM_FREE, 0}, 6},
        {"top", 3, {PROBLEM_FREE, PROBLEM_FREE}, 0},
        {"first", UINT64_MAX - 10, {0, 4}, 10},
        {"first", UINT64_MAX - 9, {0, 4}, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(place_third(rows[i].fit, rows[i].bytes, rows[i].neighbour), rows[i].found);
    CU_ASSERT_STRING_EQUAL(error.text, "no place below 2^64 bytes for buffer 'c'");
}

static const struct test_case cases[] = {{"a third buffer", test_third}};

TESTING_MAIN("planning/fit", cases)
