/* Lines of several streams: which buffers they say conflict, and what is placed among them. */

#include "planning/arena/placer.h"
#include "planning/arena/stream_lines.h"
#include "planning/verify/problem/clocks.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_clocks.h"
#include "support/testing.h"

enum { SEEDS = TESTING_COUNT(10000, 1000), MOST_BUFFERS = 12 };

static struct problem *draw_problem(uint64_t seed, struct random_state *random)
{
    *random = random_seed(seed);
    return random_clocks_create(MOST_BUFFERS, 9, random);
}

static bool meet(struct live_range a, struct live_range b)
{
    return a.lower < b.upper && b.lower < a.upper;
}

/* What is live with a buffer on the serial line or in one of the other ranges conflicts with it,
   and nothing else; what is not on the serial line begins or ends in one of the ranges. */
static void test_rest(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random;
        SCOPED(problem_release) struct problem *problem = draw_problem(seed, &random);
        struct stream_lines *lines;
        must(stream_lines_create(problem, &lines, &error));
        const struct problem *line = &lines->line, *serial = &lines->serial;
        for (uint32_t a = 0; a < problem->buffers; a++) {
            uint32_t ranges;
            const struct live_range *range = stream_lines_find_rest(lines, a, &ranges);
            for (uint32_t b = 0; b < problem->buffers; b++) {
                const struct live_range life = {line->lower[b], line->upper[b], true};
                bool is_live = false, is_found = false;
                for (uint32_t i = 0; i < ranges; i++) {
                    CU_ASSERT(range[i].lower < range[i].upper);
                    CU_ASSERT(i == 0 || range[i - 1].upper <= range[i].lower);
                    is_live = is_live || meet(range[i], life);
                    is_found = is_found || (range[i].is_complete && meet(range[i], life));
                    is_found =
                        is_found ||
                        meet(range[i], (struct live_range){life.lower, life.lower + 1, true}) ||
                        meet(range[i], (struct live_range){life.upper - 1, life.upper, true});
                }
                bool is_serial =
                    meet((struct live_range){serial->lower[a], serial->upper[a], true},
                         (struct live_range){serial->lower[b], serial->upper[b], true});
                CU_ASSERT(a == b ||
                          (is_serial || is_live) == random_clocks_conflict(problem, a, b));
                CU_ASSERT(a == b ||
                          (is_serial || is_found) == random_clocks_conflict(problem, a, b));
            }
        }
        stream_lines_free(lines);
    }
}

/* The lowest offset at which the buffer touches none of those that conflict and have one. */
static uint64_t find_lowest(const struct problem *problem, const uint64_t *offset, uint32_t b)
{
    for (uint64_t at = 0;; at++) {
        bool free = true;
        for (uint32_t c = 0; c < problem->buffers; c++)
            free = free &&
                   (c == b || offset[c] == PROBLEM_FREE || !random_clocks_conflict(problem, b, c) ||
                    offset[c] + problem->size[c] <= at || at + problem->size[b] <= offset[c]);
        if (free)
            return at;
    }
}

static void test_first_fit(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random;
        SCOPED(problem_release) struct problem *problem = draw_problem(seed, &random);
        uint64_t offset[MOST_BUFFERS], expected[MOST_BUFFERS], peak_bytes, peak = 0;
        uint32_t sorted[MOST_BUFFERS];
        for (uint32_t b = 0; b < problem->buffers; b++) {
            sorted[b] = b;
            expected[b] = PROBLEM_FREE;
        }
        if (seed % 3 == 0)
            expected[0] = 5;
        must(problem_fix(problem, 0, expected[0], &error));
        random_shuffle(&random, sorted, problem->buffers);
        const struct occupancy_rule rule = {
            .fit = fit_find("first"), .sorted = sorted, .most_bytes = UINT64_MAX};
        SCOPED(placer_release) struct placer *placer = NULL;
        problem->clocks->alone = true;
        must(placer_create(problem, &placer, &error));
        for (int again = 0; again < 2; again++)
            must(placer_place_all(placer, &rule, offset, &peak_bytes, &error));
        for (uint32_t i = 0; i < problem->buffers; i++)
            if (expected[sorted[i]] == PROBLEM_FREE)
                expected[sorted[i]] = find_lowest(problem, expected, sorted[i]);
        for (uint32_t b = 0; b < problem->buffers; b++) {
            CU_ASSERT_EQUAL(offset[b], expected[b]);
            peak = offset[b] + problem->size[b] > peak ? offset[b] + problem->size[b] : peak;
        }
        CU_ASSERT_EQUAL(peak_bytes, peak);
    }
}

static bool collide(const struct problem *problem, const struct plan *plan, uint32_t a, uint32_t b)
{
    return a != b && random_clocks_conflict(problem, a, b) &&
           plan->offset[a] < plan->offset[b] + problem->size[b] &&
           plan->offset[b] < plan->offset[a] + problem->size[a];
}

/* Offsets at random: the check finds two that collide where there are some. */
static void test_check(void)
{
    uint32_t faults = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random;
        SCOPED(problem_release) struct problem *problem = draw_problem(seed, &random);
        struct verdict verdict = {.fault = VERIFY_VALID};
        SCOPED(plan_release) struct plan *plan = NULL;
        bool any = false;
        must(plan_create(problem, &plan, &error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            plan->offset[b] = random_below(&random, 10 + 40 * (seed % 3));
        for (uint32_t a = 0; a < problem->buffers; a++)
            for (uint32_t b = 0; b < a; b++)
                any = any || collide(problem, plan, a, b);
        must(verify_clocks(problem, plan, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.fault != VERIFY_VALID, any);
        if (verdict.fault) {
            CU_ASSERT(verdict.first < verdict.second);
            CU_ASSERT(collide(problem, plan, verdict.first, verdict.second));
        }
        faults += any;
    }
    CU_ASSERT(faults > SEEDS / 10 && faults < SEEDS * 9 / 10);
}

static enum status place_anew(const void *input, struct error *found)
{
    const struct problem *problem = input;
    uint64_t offset[MOST_BUFFERS], peak_bytes;
    uint32_t sorted[MOST_BUFFERS];
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = b;
    const struct occupancy_rule rule = {
        .fit = fit_find("first"), .sorted = sorted, .most_bytes = UINT64_MAX};
    SCOPED(placer_release) struct placer *placer = NULL;
    TRY(placer_create(problem, &placer, found));
    return placer_place_all(placer, &rule, offset, &peak_bytes, found);
}

static void test_allocations(void)
{
    struct random_state random;
    SCOPED(problem_release) struct problem *problem = draw_problem(4, &random);
    problem->clocks->alone = true;
    fail_each(place_anew, problem);
}

static const struct test_case cases[] = {
    {"the serial line and the ranges beside it have all that conflicts", test_rest},
    {"first fit is that by looking at all pairs", test_first_fit},
    {"collisions are found by clocks", test_check},
    {"allocations that fail", test_allocations},
};
TESTING_MAIN("planning/arena/stream_lines", cases)
