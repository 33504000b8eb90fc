#include <stdio.h>
#include <string.h>

#include "heuristics/common/order.h"
#include "heuristics/heuristics.h"
#include "heuristics/order_fit/order_fit.h"
#include "planning/arena/fit.h"
#include "planning/verify/plan.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* Offsets of order and fit against a second way of placing, which tries every offset that can be
   the answer: 0 and the end of each conflicting buffer, rounded up. */

enum { MOST_BUFFERS = 24 };

/* What is placed already and in the way of the buffer at hand. */
struct obstacles {
    uint64_t begin[MOST_BUFFERS], end[MOST_BUFFERS];
    uint32_t count;
};

/* A place for the buffer; it may lie anywhere in [gap_begin, gap_end). */
struct place {
    uint64_t offset, gap_begin, gap_end;
};

static bool live_together(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] < problem->upper[t] && problem->lower[t] < problem->upper[s])
                return true;
    return false;
}

static void find_obstacles(const struct problem *problem, const uint64_t *offset, uint32_t buffer,
                           struct obstacles *obstacles)
{
    obstacles->count = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (offset[b] == PROBLEM_FREE || !live_together(problem, b, buffer))
            continue;
        obstacles->begin[obstacles->count] = offset[b];
        obstacles->end[obstacles->count++] = offset[b] + problem->size[b];
    }
}

/* Whether the bytes are free there, and how far the free bytes reach. */
static bool fits_there(const struct obstacles *obstacles, uint64_t size, struct place *place)
{
    place->gap_begin = 0;
    place->gap_end = UINT64_MAX;
    for (uint32_t i = 0; i < obstacles->count; i++) {
        uint64_t begin = obstacles->begin[i], end = obstacles->end[i];
        if (begin < place->offset + size && place->offset < end)
            return false;
        if (end <= place->offset && end > place->gap_begin)
            place->gap_begin = end;
        if (begin > place->offset && begin < place->gap_end)
            place->gap_end = begin;
    }
    return true;
}

static uint64_t round_up(uint64_t bytes, uint64_t alignment)
{
    while (bytes % alignment)
        bytes++;
    return bytes;
}

/* Every place, the lowest first; the last one is above everything. */
static uint32_t find_places(const struct obstacles *obstacles, uint64_t size, uint64_t alignment,
                            struct place *places)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i <= obstacles->count; i++) {
        uint64_t from = i < obstacles->count ? obstacles->end[i] : 0;
        struct place place = {.offset = round_up(from, alignment)};
        if (!fits_there(obstacles, size, &place))
            continue;
        uint32_t at = count++;
        for (; at && places[at - 1].offset > place.offset; at--)
            places[at] = places[at - 1];
        places[at] = place;
    }
    while (count > 1 && places[count - 2].offset == places[count - 1].offset)
        count--;
    return count;
}

static uint64_t choose_first(const struct place *places, uint32_t count)
{
    (void)count;
    return places[0].offset;
}

static uint64_t choose_top(const struct place *places, uint32_t count)
{
    return places[count - 1].offset;
}

static uint64_t choose_best(const struct place *places, uint32_t count)
{
    const struct place *best = &places[count - 1];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (best->gap_end == UINT64_MAX ||
            places[i].gap_end - places[i].gap_begin < best->gap_end - best->gap_begin)
            best = &places[i];
    return best->offset;
}

static uint64_t choose_best_aligned(const struct place *places, uint32_t count)
{
    const struct place *best = &places[count - 1];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (best->gap_end == UINT64_MAX ||
            places[i].gap_end - places[i].offset < best->gap_end - best->offset)
            best = &places[i];
    return best->offset;
}

static uint64_t choose_worst(const struct place *places, uint32_t count)
{
    const struct place *best = &places[count - 1];
    for (uint32_t i = 0; i + 1 < count; i++)
        if (best->gap_end == UINT64_MAX ||
            places[i].gap_end - places[i].gap_begin > best->gap_end - best->gap_begin)
            best = &places[i];
    return best->offset;
}

/* As in LiteRT: rest above the aligned offset, compared with what was noted of the best place. */
static uint64_t choose_arena(const struct place *places, uint32_t count)
{
    uint64_t chosen = places[count - 1].offset, noted = UINT64_MAX;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (places[i].gap_end - places[i].offset < noted) {
            chosen = places[i].offset;
            noted = places[i].gap_end - places[i].gap_begin;
        }
    return chosen;
}

static const struct {
    const char *fit;
    uint64_t (*choose)(const struct place *places, uint32_t count);
} choices[] = {
    {"first", choose_first}, {"best", choose_best},   {"best_aligned", choose_best_aligned},
    {"worst", choose_worst}, {"arena", choose_arena}, {"top", choose_top},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void place_all(const struct problem *problem, const uint32_t *sorted, uint32_t choice,
                      uint64_t *offset)
{
    struct obstacles obstacles;
    struct place places[MOST_BUFFERS + 1];
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem_fixed_offset(problem, b);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t buffer = sorted[i];
        if (offset[buffer] != PROBLEM_FREE)
            continue;
        find_obstacles(problem, offset, buffer, &obstacles);
        uint32_t count = find_places(&obstacles, problem->size[buffer],
                                     problem_alignment(problem, buffer), places);
        offset[buffer] = choices[choice].choose(places, count);
    }
}

static void expect_plan(const struct planner *planner, const struct problem *problem,
                        uint32_t choice)
{
    const struct order_fit *rule = planner->rule;
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX, .seed = 5};
    uint32_t sorted[MOST_BUFFERS];
    uint64_t expected[MOST_BUFFERS], peak = 0;
    struct plan *plan;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(order_sort(order_find(rule->order), problem, task.seed, sorted, &error),
                          STATUS_OK);
    place_all(problem, sorted, choice, expected);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (expected[b] + problem->size[b] > peak)
            peak = expected[b] + problem->size[b];
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(planner_plan(planner, &task, plan, &error), STATUS_OK);
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, peak);
    CU_ASSERT_EQUAL(memcmp(plan->offset, expected, problem->buffers * sizeof *expected), 0);
    plan_free(plan);
}

static uint32_t find_choice(const char *fit)
{
    uint32_t choice = 0;
    while (choice < CHOICES && strcmp(choices[choice].fit, fit) != 0)
        choice++;
    CU_ASSERT_TRUE_FATAL(choice < CHOICES);
    return choice;
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
            if (planner->plan == order_fit_plan) {
                const struct order_fit *rule = planner->rule;
                expect_plan(planner, problem, find_choice(rule->fit));
            }
        }
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"each fit against all places", test_fits},
    {"each row against all places", test_rows},
};

TESTING_MAIN("heuristics/order_fit_offsets", cases)
