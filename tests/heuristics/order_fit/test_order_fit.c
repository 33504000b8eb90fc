#include <string.h>

#include "heuristics/common/order.h"
#include "heuristics/heuristics.h"
#include "heuristics/order_fit/order_fit.h"
#include "rule_test.h"
#include "support/fits.h"
#include "support/planned.h"
#include "support/testing.h"

/* a and c overlap b; d overlaps c only. */
static const struct made_buffer four[] = {{0, 2, 4}, {1, 4, 2}, {2, 6, 6}, {5, 6, 3}};
static const struct made_buffer same[] = {{0, 3, 5}, {0, 3, 5}, {0, 3, 5}};
static const struct made_buffer same_but_last[] = {{0, 3, 5}, {0, 3, 5}, {0, 3, 7}};
/* Pisarchyk and Lee's example. */
static const struct made_buffer eight[] = {{0, 2, 32}, {1, 5, 28}, {2, 6, 36}, {3, 6, 16},
                                           {4, 6, 8},  {5, 8, 64}, {6, 9, 10}, {7, 9, 40}};
/* c lives from the first step to the last. */
static const struct made_buffer preserved[] = {{0, 2, 4}, {2, 4, 6}, {0, 4, 1}};
static const struct made_buffer usmp[] = {{0, 4, 3}, {0, 2, 3}, {2, 4, 3}, {0, 1, 1}, {1, 2, 2}};
static const struct made_buffer two[] = {{0, 1, 5}, {0, 1, 5}};

static const struct {
    const char *planner;
    const struct made_buffer *rows;
    uint32_t count;
    uint64_t offset[8];
} examples[] = {
    {"naive", four, 4, {0, 4, 6, 12}},
    {"sequential", four, 4, {0, 4, 6, 0}},
    {"large_first", four, 4, {0, 6, 0, 6}},
    {"short_first", four, 4, {0, 4, 6, 0}},
    /* Equal in every key: the first in the file is placed first. */
    {"sequential", same, 3, {0, 5, 10}},
    {"large_first", same, 3, {0, 5, 10}},
    {"short_first", same, 3, {0, 5, 10}},
    /* Greedy by size reaches 124, which is the load. */
    {"size_best_fit", eight, 8, {0, 32, 64, 100, 116, 0, 104, 64}},
    {"tflite_greedy_by_size", eight, 8, {0, 32, 64, 100, 116, 0, 104, 64}},
    {"tflite_gpu_greedy_by_size", eight, 8, {0, 32, 64, 100, 116, 0, 104, 64}},
    /* c comes first although it is small. */
    {"tflite_greedy_by_size", preserved, 3, {1, 1, 0}},
    {"tflite_gpu_greedy_by_size", preserved, 3, {0, 0, 6}},
    /* Of equal sizes the later goes first. */
    {"tflm_greedy", same_but_last, 3, {12, 7, 0}},
    /* Of equal sizes and conflicts the greater name goes first; the gap below b stays empty. */
    {"usmp_greedy_by_size", usmp, 5, {0, 3, 3, 6, 6}},
    {"usmp_greedy_by_size", two, 2, {5, 0}},
    {"usmp_greedy_by_conflicts", two, 2, {5, 0}},
};

static void test_examples(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        rule_test_expect(examples[i].planner, examples[i].rows, examples[i].count,
                         examples[i].offset);
}

/* Gaps [1, 20) and [24, 39): the second is smaller, but of the first fewer bytes can be used. The
   arena holds those 15 of the second against all 19 of the first. */
static const struct interval two_gaps[] = {{0, 1}, {20, 24}, {39, 50}};

static const struct interval three_gaps[] = {{10, 20}, {23, 30}, {34, 40}};

static void test_fits(void)
{
    static const struct {
        const struct interval *taken;
        const char *fit;
        uint64_t size, alignment, offset;
    } expected[] = {
        {three_gaps, "first", 3, 1, 0},      {three_gaps, "best", 3, 1, 20},
        {three_gaps, "worst", 3, 1, 0},      {three_gaps, "top", 3, 1, 40},
        {three_gaps, "best", 4, 1, 30},      {three_gaps, "first", 11, 1, 40},
        {three_gaps, "best", 3, 8, 0},       {three_gaps, "first", 1, 16, 0},
        {three_gaps, "best", 2, 16, 32},     {three_gaps, "best", 2, 10, 20},
        {three_gaps, "worst", 11, 16, 48},   {two_gaps, "best", 2, 8, 24},
        {two_gaps, "best_aligned", 2, 8, 8}, {two_gaps, "arena", 2, 8, 24},
        {two_gaps, "worst", 2, 8, 8},        {two_gaps, "arena", 2, 1, 24},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct gap_source source = {expected[i].taken, expected[i].taken + 3, false};
        struct gap_walk walk = {.source = &source,
                                .sources = 1,
                                .size = expected[i].size,
                                .alignment = expected[i].alignment};
        uint64_t offset;
        CU_ASSERT_TRUE_FATAL(fit_choose(fit_find(expected[i].fit), &walk, &offset));
        CU_ASSERT_EQUAL(offset, expected[i].offset);
    }
}

static void test_fit_refuses_overflow(void)
{
    static const struct interval taken[] = {{0, UINT64_MAX - 10}};
    uint64_t offset;
    for (uint32_t i = 0; i < fits_count(); i++) {
        struct gap_source source = {taken, taken + 1, false};
        struct gap_walk walk = {.source = &source, .sources = 1, .size = 11, .alignment = 1};
        CU_ASSERT_FALSE(fit_choose(fit_find(fits_name(i)), &walk, &offset));
    }
}

/* Each order with each fit, on problems with everything in them. */
static void test_all_plans_are_valid(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct problem *problem = rule_test_draw(&rule_test_everything, seed);
        const struct planner_task task = planned_task(problem);
        for (uint32_t o = 0; planned_can_be(problem) && o < order_count(); o++)
            for (uint32_t f = 0; f < fits_count(); f++) {
                const struct order_fit rule = {order_at(o)->name, fits_name(f)};
                const struct planner planner = {.rule = &rule, .plan = order_fit_plan};
                struct plan *plan = planned(&planner, &task);
                CU_ASSERT_TRUE(planned_is_valid(problem, plan));
                plan_free(plan);
            }
        problem_free(problem);
    }
}

static void test_table(void)
{
    for (uint32_t i = 0; i < heuristics_count(); i++) {
        const struct planner *planner = heuristics_at(i);
        CU_ASSERT_EQUAL(strspn(planner->name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                        strlen(planner->name));
        CU_ASSERT_PTR_EQUAL(heuristics_find(planner->name), planner);
        CU_ASSERT_TRUE(*planner->title && *planner->source && *planner->family);
        CU_ASSERT_EQUAL(planner->flags & PLANNER_EXACT, 0);
        const struct order_fit *rule = planner->plan == order_fit_plan ? planner->rule : NULL;
        CU_ASSERT_TRUE(!rule || (order_find(rule->order) && fit_find(rule->fit)));
    }
}

static const struct test_case cases[] = {
    {"examples by hand", test_examples},
    {"fits", test_fits},
    {"fits refuse overflow", test_fit_refuses_overflow},
    {"every order and fit gives valid plans", test_all_plans_are_valid},
    {"the table", test_table},
};

TESTING_MAIN("heuristics/order_fit", cases)
