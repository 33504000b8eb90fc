#include <string.h>

#include "heuristics/order_search/evaluator.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/testing.h"

static struct scratch scratch;

enum { MOST = 80 };

static struct evaluator *make_evaluator(const struct problem *problem)
{
    struct evaluator *evaluator;
    must(evaluator_create(problem, &evaluator, &scratch, &error));
    CU_ASSERT_PTR_NOT_NULL_FATAL(evaluator);
    return evaluator;
}

static void swap(uint32_t *order, uint32_t first, uint32_t second)
{
    uint32_t moved = order[first];
    order[first] = order[second];
    order[second] = moved;
}

/* The rule of evaluator.h once more. */
static uint32_t find_predecessor(const struct problem *problem, const uint32_t *order,
                                 uint32_t position, const uint64_t *offset)
{
    uint32_t buffer = order[position], found = EVALUATOR_NONE;
    uint64_t highest = 0;
    for (uint32_t b = 0; offset[buffer] && b < problem->buffers; b++) {
        bool placed = problem_fixed_offset(problem, b) != PROBLEM_FREE;
        for (uint32_t i = 0; i < position; i++)
            placed |= order[i] == b;
        uint64_t end = offset[b] + problem->size[b];
        if (placed && rule_test_conflict(problem, buffer, b) && end <= offset[buffer] &&
            end > highest) {
            highest = end;
            found = b;
        }
    }
    return found;
}

static void expect_same(const struct evaluator *evaluator, const uint32_t *order,
                        const uint64_t *found, const uint64_t *expected)
{
    bool same = true;
    for (uint32_t i = 0; i < evaluator->movables; i++)
        same &= found[order[i]] == expected[order[i]];
    CU_ASSERT_TRUE_FATAL(same);
    for (uint32_t i = 0; evaluator->predecessor && i < evaluator->movables; i++)
        CU_ASSERT_EQUAL_FATAL(evaluator->predecessor[order[i]],
                              find_predecessor(evaluator->problem, order, i, expected));
}

/* Two change places, are tried, and remain so or not. */
static void compare_swaps(struct evaluator *evaluator, struct random_state *random, uint32_t *order)
{
    const struct problem *problem = evaluator->problem;
    uint32_t count = evaluator->movables;
    uint64_t base[MOST], found[MOST], expected[MOST];
    rule_test_place(problem, order, rule_test_first, base);
    for (int turn = 0; count > 1 && turn < 4; turn++) {
        uint32_t second = 1 + (uint32_t)random_below(random, count - 1);
        uint32_t first = (uint32_t)random_below(random, second);
        swap(order, first, second);
        rule_test_place(problem, order, rule_test_first, expected);
        uint64_t peak = rule_test_peak(problem, expected);
        const struct evaluator_swap swapped = {order, first, second, base};
        CU_ASSERT_EQUAL(evaluator_place_swapped(evaluator, &swapped, peak - 1, found),
                        EVALUATOR_ABOVE);
        CU_ASSERT_EQUAL(evaluator_place_swapped(evaluator, &swapped, peak, found), peak);
        expect_same(evaluator, order, found, expected);
        if (turn % 2)
            swap(order, first, second);
        else
            memcpy(base, expected, sizeof base);
    }
}

/* Orders one after another, each with what the one before it left behind; with rows of conflicts,
   if there are any, or without. */
static void compare_orders(const struct problem *problem, struct random_state *random,
                           bool predecessors, bool rows)
{
    struct evaluator *evaluator = make_evaluator(problem);
    uint32_t order[MOST];
    uint64_t found[MOST], expected[MOST];
    if (!rows)
        evaluator->row = NULL;
    if (predecessors)
        must(evaluator_want_predecessors(evaluator, &scratch, &error));
    memcpy(order, evaluator->movable, problem->buffers * sizeof *order);
    for (int turn = 0; turn < 4; turn++) {
        uint32_t kept = 0;
        if (turn && evaluator->movables)
            kept = (uint32_t)random_below(random, evaluator->movables);
        random_shuffle(random, order + kept, evaluator->movables - kept);
        rule_test_place(problem, order, rule_test_first, expected);
        uint64_t peak = rule_test_peak(problem, expected);
        CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, kept, peak, found), peak);
        CU_ASSERT_EQUAL(evaluator->placed, evaluator->movables);
        expect_same(evaluator, order, found, expected);
        CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, kept, peak - 1, found),
                        EVALUATOR_ABOVE);
    }
    if (!predecessors)
        compare_swaps(evaluator, random, order);
    evaluator_free(evaluator);
    scratch_free(&scratch);
}

static void compare_problems(const struct random_problem *kind, uint64_t problems)
{
    for (uint64_t seed = 0; seed < problems; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(kind, &random);
        compare_orders(problem, &random, seed % 2, seed / 2 % 2);
        problem_free(problem);
    }
}

static void test_plain_problems(void)
{
    const struct random_problem kind = {.most_buffers = 16, .steps = 12, .most_size = 20};
    compare_problems(&kind, 5000);
}

static void test_problems_with_everything(void)
{
    compare_problems(&rule_test_everything, 5000);
}

/* Lists that are long enough to be merged. */
static void test_many_conflicts(void)
{
    const struct random_problem kind = {
        .most_buffers = MOST, .steps = 4, .most_size = 1000, .alignment = true, .fixed = true};
    compare_problems(&kind, 100);
}

/* Placing stops with the buffer that is too high, which has its offset; the others keep theirs. */
static void test_limit(void)
{
    struct problem *problem = made_problem_pile(4);
    struct evaluator *evaluator = make_evaluator(problem);
    const uint32_t order[] = {2, 0, 3, 1};
    uint64_t offset[] = {77, 77, 77, 77};
    CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, 0, 8, offset), EVALUATOR_ABOVE);
    CU_ASSERT_EQUAL(evaluator->placed, 3);
    CU_ASSERT_EQUAL(offset[2], 0);
    CU_ASSERT_EQUAL(offset[0], 3);
    CU_ASSERT_EQUAL(offset[3], 6);
    CU_ASSERT_EQUAL(offset[1], 77);
    CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, 3, 8, offset), EVALUATOR_ABOVE);
    CU_ASSERT_EQUAL(evaluator->placed, 3);
    CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, 3, 12, offset), 12);
    CU_ASSERT_EQUAL(offset[1], 9);
    evaluator_free(evaluator);
    scratch_free(&scratch);
    problem_free(problem);
}

/* 1500 buffers at once are 2 million conflicts, enough to look at the clock. */
static void test_deadline(void)
{
    struct problem *problem = made_problem_pile(1500);
    struct evaluator *evaluator = make_evaluator(problem);
    uint64_t base[1500], offset[1500];
    uint32_t *order = evaluator->movable;
    CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, 0, UINT64_MAX, base), 4500);
    evaluator->deadline_ns = 0;
    CU_ASSERT_EQUAL(evaluator_place_order(evaluator, order, 0, UINT64_MAX, offset),
                    EVALUATOR_ABOVE);
    CU_ASSERT_TRUE(evaluator->placed < 1500);
    const struct evaluator_swap swapped = {order, 0, 1, base};
    CU_ASSERT_EQUAL(evaluator_place_swapped(evaluator, &swapped, UINT64_MAX, offset),
                    EVALUATOR_ABOVE);
    evaluator_free(evaluator);
    scratch_free(&scratch);
    problem_free(problem);
}

static void test_no_buffers(void)
{
    struct problem *problem = made_problem_pile(0);
    struct evaluator *evaluator = make_evaluator(problem);
    CU_ASSERT_EQUAL(evaluator_place_order(evaluator, NULL, 0, 0, NULL), 0);
    evaluator_free(evaluator);
    scratch_free(&scratch);
    problem_free(problem);
}

/* 16385 buffers at once are just more than 2^27 pairs. */
static void test_too_many_pairs(void)
{
    struct problem *problem = made_problem_pile(16385);
    struct evaluator *evaluator = NULL;
    must(evaluator_create(problem, &evaluator, &scratch, &error));
    CU_ASSERT_PTR_NULL(evaluator);
    problem_free(problem);
}

static const struct test_case cases[] = {
    {"plain problems against the obvious", test_plain_problems},
    {"holes, windows, alignment and fixed buffers", test_problems_with_everything},
    {"many conflicts", test_many_conflicts},
    {"limit", test_limit},
    {"deadline", test_deadline},
    {"no buffers", test_no_buffers},
    {"too many pairs", test_too_many_pairs},
};

TESTING_MAIN("heuristics/evaluator", cases)
