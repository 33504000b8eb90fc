#include "planning/arena/fit.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/testing.h"

/* Three buffers that live together, of 4, 6 and last bytes, and one of 9 that lives later. */
static struct problem *create_problem(uint64_t last)
{
    const uint64_t size[] = {4, 6, last, 9};
    struct problem *problem = made_problem_start();
    for (uint32_t b = 0; b < 4; b++)
        made_problem_add(problem, (struct made_buffer){b < 3 ? 0 : 5, b < 3 ? 5 : 6, size[b]});
    return problem;
}

/* Where the third buffer comes when the others are at these offsets; UINT64_MAX when refused. */
static uint64_t place_third(const char *fit, uint64_t size, const uint64_t offset[4])
{
    struct problem *problem = create_problem(size);
    struct conflicts *conflicts;
    struct plan *plan;
    struct interval taken[2];
    must(conflicts_create(problem, &conflicts, &error));
    must(plan_create(problem, &plan, &error));
    CU_ASSERT_EQUAL(fit_most_taken(problem, conflicts), 2);
    for (uint32_t b = 0; b < 4; b++)
        plan->offset[b] = offset[b];
    enum status status = fit_place(
        fit_find(fit), &(struct fit_neighbours){problem, conflicts, taken}, 2, plan, &error);
    uint64_t found = status ? UINT64_MAX : plan->offset[2];
    CU_ASSERT_TRUE(status == STATUS_OK || status == STATUS_BAD_INPUT);
    plan_free(plan);
    conflicts_free(conflicts);
    problem_free(problem);
    return found;
}

static void test_among_placed_neighbours(void)
{
    static const uint64_t offset[] = {2, 9, PROBLEM_FREE, 0};
    CU_ASSERT_EQUAL(place_third("first", 2, offset), 0);
    CU_ASSERT_EQUAL(place_third("first", 3, offset), 6);
    CU_ASSERT_EQUAL(place_third("best", 2, offset), 0);
    CU_ASSERT_EQUAL(place_third("worst", 2, offset), 6);
    CU_ASSERT_EQUAL(place_third("top", 2, offset), 15);
    CU_ASSERT_EQUAL(place_third("first", 4, offset), 15);
}

/* In whatever order the neighbours come, and where they overlap each other. */
static void test_neighbours_out_of_order(void)
{
    CU_ASSERT_EQUAL(place_third("first", 3, (const uint64_t[]){9, 0, PROBLEM_FREE, 0}), 6);
    CU_ASSERT_EQUAL(place_third("first", 3, (const uint64_t[]){1, 0, PROBLEM_FREE, 0}), 6);
}

static void test_neighbours_without_a_place(void)
{
    CU_ASSERT_EQUAL(place_third("first", 3, (const uint64_t[]){PROBLEM_FREE, 0, PROBLEM_FREE, 0}),
                    6);
    CU_ASSERT_EQUAL(
        place_third("top", 3, (const uint64_t[]){PROBLEM_FREE, PROBLEM_FREE, PROBLEM_FREE, 0}), 0);
}

static void test_no_place(void)
{
    static const uint64_t offset[] = {0, 4, PROBLEM_FREE, 0};
    CU_ASSERT_EQUAL(place_third("first", UINT64_MAX - 10, offset), 10);
    CU_ASSERT_EQUAL(place_third("first", UINT64_MAX - 9, offset), UINT64_MAX);
    CU_ASSERT_STRING_EQUAL(error.text, "no place below 2^64 bytes for buffer 'c'");
}

static const struct test_case cases[] = {
    {"among placed neighbours", test_among_placed_neighbours},
    {"neighbours out of order", test_neighbours_out_of_order},
    {"neighbours without a place", test_neighbours_without_a_place},
    {"no place", test_no_place},
};

TESTING_MAIN("planning/fit", cases)
