#include <string.h>

#include "heuristics/common/order.h"
#include "heuristics/heuristics.h"
#include "heuristics/order_fit/order_fit.h"
#include "planning/arena/fit.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

/* Offsets of order and fit against the second way of placing of rule_test.h, with a choice for each
   fit. */

enum { MOST_BUFFERS = 24 };

static uint64_t choose_top(const struct rule_test_gap *places, uint32_t count)
{
    return places[count - 1].offset;
}

static uint64_t choose_best_aligned(const struct rule_test_gap *places, uint32_t count)
{
    const struct rule_test_gap *best = &places[count - 1];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (best->end == UINT64_MAX || places[i].end - places[i].offset < best->end - best->offset)
            best = &places[i];
    return best->offset;
}

static uint64_t choose_best_above(const struct rule_test_gap *places, uint32_t count)
{
    bool has_bottom = places[0].begin == 0 && count > 1;
    return rule_test_best(places + has_bottom, count - has_bottom);
}

static uint64_t choose_worst(const struct rule_test_gap *places, uint32_t count)
{
    const struct rule_test_gap *best = &places[count - 1];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (best->end == UINT64_MAX || places[i].end - places[i].begin > best->end - best->begin)
            best = &places[i];
    return best->offset;
}

/* As in LiteRT: rest above the aligned offset, compared with what was noted of the best place. */
static uint64_t choose_arena(const struct rule_test_gap *places, uint32_t count)
{
    uint64_t chosen = places[count - 1].offset, noted = UINT64_MAX;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (places[i].end - places[i].offset < noted) {
            chosen = places[i].offset;
            noted = places[i].end - places[i].begin;
        }
    return chosen;
}

static const struct {
    const char *fit;
    rule_test_choice *choose;
} choices[] = {
    {"first", rule_test_first},
    {"best", rule_test_best},
    {"best_aligned", choose_best_aligned},
    {"worst", choose_worst},
    {"arena", choose_arena},
    {"top", choose_top},
    {"best_above", choose_best_above},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void expect_plan(const struct planner *planner, const struct problem *problem,
                        uint32_t choice)
{
    const struct order_fit *rule = planner->rule;
    const struct planner_task task = planned_task(problem);
    uint32_t sorted[MOST_BUFFERS];
    uint64_t expected[MOST_BUFFERS];
    must(order_sort(order_find(rule->order), problem, task.seed, sorted, &error));
    rule_test_place(problem, sorted, choices[choice].choose, expected);
    struct plan *plan = planned(planner, &task);
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, rule_test_peak(problem, expected));
    CU_ASSERT_EQUAL(memcmp(plan->offset, expected, problem->buffers * sizeof *expected), 0);
    plan_free(plan);
}

static struct problem *create_random(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    const struct random_problem kind = {.most_buffers = seed % 10 ? 12 : MOST_BUFFERS,
                                        .steps = 1 + (uint32_t)(seed % 17),
                                        .most_size = 1 + seed % 41,
                                        .holes = seed % 3 == 0,
                                        .windows = seed % 11 == 0,
                                        .alignment = seed % 2 == 0,
                                        .fixed = seed % 7 == 0};
    return random_problem_create(&kind, &random);
}

/* Each fit on each problem, with an order that changes from problem to problem. */
static void test_fits(void)
{
    for (uint64_t seed = 0; seed < 10000; seed++) {
        struct problem *problem = create_random(seed);
        for (uint32_t choice = 0; choice < CHOICES; choice++) {
            const struct order_fit rule = {order_at((uint32_t)(seed % order_count()))->name,
                                           choices[choice].fit};
            const struct planner planner = {.rule = &rule, .plan = order_fit_plan};
            expect_plan(&planner, problem, choice);
        }
        problem_free(problem);
    }
}

/* Rows say what they do: order and fit, nothing else. */
static void test_rows(void)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct problem *problem = create_random(seed);
        for (uint32_t i = 0; i < heuristics_count(); i++) {
            const struct planner *planner = heuristics_at(i);
            const struct order_fit *rule = planner->rule;
            uint32_t choice = 0;
            if (planner->plan != order_fit_plan)
                continue;
            while (choice < CHOICES && strcmp(choices[choice].fit, rule->fit) != 0)
                choice++;
            CU_ASSERT_FATAL(choice < CHOICES);
            expect_plan(planner, problem, choice);
        }
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"each fit against all places", test_fits},
    {"each row against all places", test_rows},
};

TESTING_MAIN("heuristics/order_fit_offsets", cases)
