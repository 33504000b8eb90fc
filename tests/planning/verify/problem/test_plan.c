#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/random.h"
#include "planning/sketch.h"
#include "planning/verify/describe.h"
#include "planning/verify/problem/plan.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

static const char four[] = "a:8 0-2 b:8 2-4 c:4%4 1-3 d:4@12 3-4";

static struct plan *create_plan(const struct problem *problem, const uint64_t *offset,
                                uint64_t peak_bytes)
{
    struct plan *plan;
    must(plan_create(problem, &plan, &error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = offset[b];
    plan->measures.peak_bytes = peak_bytes;
    return plan;
}

static bool same_verdict(struct verdict a, struct verdict b)
{
    return a.fault == b.fault && a.first == b.first && a.second == b.second && a.step == b.step;
}

/* Both ways of checking say the same, in these words. */
static void expect_verdict(const struct problem *problem, const struct plan *plan,
                           struct verdict expected, const char *sentence)
{
    struct verdict sweep, pairwise;
    char text[256];
    must(verify_plan(problem, plan, &sweep, &error));
    verify_plan_pairwise(problem, plan, &pairwise);
    CU_ASSERT(same_verdict(sweep, expected));
    CU_ASSERT(same_verdict(pairwise, expected));
    verify_describe(problem, plan, &sweep, text, sizeof text);
    if (strcmp(text, sentence) != 0)
        printf("\n%s\n", text);
    CU_ASSERT_STRING_EQUAL(text, sentence);
}

static void test_by_hand(void)
{
    static const char away[] = "a:8 0-2/0-4 4-6/4-8 b:4 0-2 c:8 2-4 d:4 4-5";
    static const struct {
        const char *problem;
        uint64_t offset[4], peak_bytes;
        struct verdict expected;
        const char *sentence;
    } rows[] = {
        {four, {0, 0, 8, 12}, 16, {VERIFY_VALID, 0, 0, 0}, "valid"},
        {four, {4, 4, 0, 12}, 16, {VERIFY_VALID, 0, 0, 0}, "valid"},
        {four,
         {0, 0, PROBLEM_FREE, 12},
         16,
         {VERIFY_NO_OFFSET, 2, 0, 0},
         "buffer 'c' has no offset"},
        {four,
         {0, UINT64_MAX - 7, 8, 12},
         16,
         {VERIFY_OUT_OF_RANGE, 1, 0, 0},
         "buffer 'b' of 8 bytes at 18446744073709551608 ends beyond 2^64 bytes"},
        {four,
         {0, 0, 10, 12},
         16,
         {VERIFY_MISALIGNED, 2, 0, 0},
         "buffer 'c' is at 10, expected a multiple of 4"},
        {four,
         {0, 0, 8, 8},
         16,
         {VERIFY_NOT_FIXED, 3, 0, 0},
         "buffer 'd' is at 8, expected its fixed offset 12"},
        {four,
         {0, 0, 4, 12},
         16,
         {VERIFY_OVERLAP, 0, 2, 1},
         "buffers 'a' at [0, 8) and 'c' at [4, 8) share bytes at step 1"},
        {four,
         {0, 5, 0, 12},
         16,
         {VERIFY_OVERLAP, 0, 2, 1},
         "buffers 'a' at [0, 8) and 'c' at [0, 4) share bytes at step 1"},
        {four,
         {0, 5, 16, 12},
         20,
         {VERIFY_OVERLAP, 1, 3, 3},
         "buffers 'b' at [5, 13) and 'd' at [12, 16) share bytes at step 3"},
        {four,
         {0, 0, 8, 12},
         15,
         {VERIFY_WRONG_PEAK, 3, 0, 0},
         "the plan says its peak is 15, expected 16, where buffer 'd' ends"},
        {four,
         {0, 0, 16, 12},
         21,
         {VERIFY_WRONG_PEAK, 2, 0, 0},
         "the plan says its peak is 21, expected 20, where buffer 'c' ends"},
        {"", {0}, 0, {VERIFY_VALID, 0, 0, 0}, "valid"},
        {"", {0}, 1, {VERIFY_WRONG_PEAK, 0, 0, 0}, "the plan says its peak is 1, expected 0"},
        /* a uses its first half, is away, and comes back with its second half */
        {away, {0, 4, 0, 0}, 8, {VERIFY_VALID, 0, 0, 0}, "valid"},
        {away,
         {0, 4, 0, 2},
         8,
         {VERIFY_OVERLAP, 0, 3, 4},
         "buffers 'a' at [0, 8) and 'd' at [2, 6) share bytes at step 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(problem_release) struct problem *problem = sketch_problem(rows[i].problem);
        SCOPED(plan_release)
        struct plan *plan = create_plan(problem, rows[i].offset, rows[i].peak_bytes);
        expect_verdict(problem, plan, rows[i].expected, rows[i].sentence);
    }
}

static void test_wrong_count(void)
{
    SCOPED(problem_release) struct problem *problem = sketch_problem(four);
    SCOPED(plan_release) struct plan *plan = create_plan(problem, (uint64_t[]){0, 0, 8, 12}, 16);
    plan->buffers = 3;
    expect_verdict(problem, plan, (struct verdict){.fault = VERIFY_WRONG_COUNT},
                   "the plan has 3 buffers, expected 4");
}

static void add_random_buffer(struct problem *problem, struct random_state *random)
{
    uint64_t size = 1 + random_below(random, 8);
    uint64_t alignment = 1 + random_below(random, 3);
    uint64_t fixed = random_below(random, 8) ? PROBLEM_FREE : alignment * random_below(random, 10);
    uint64_t segments = 1 + random_below(random, 3);
    uint32_t step = (uint32_t)random_below(random, 6);
    made_problem_buffer(problem, "buffer", size, alignment, fixed);
    while (segments--) {
        uint32_t upper = step + 1 + (uint32_t)random_below(random, 4);
        bool whole = random_below(random, 2);
        uint64_t from = whole ? 0 : random_below(random, size);
        uint64_t to = whole ? size : from + 1 + random_below(random, size - from);
        made_problem_segment(problem, (struct problem_segment){step, upper, from, to});
        step = upper + (uint32_t)random_below(random, 3);
    }
}

/* Mostly without a fault that one buffer alone can have. */
static struct plan *create_random_plan(const struct problem *problem, struct random_state *random)
{
    uint64_t range = 1 + random_below(random, 60);
    struct plan *plan;
    must(plan_create(problem, &plan, &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        plan->offset[b] = random_below(random, range);
        if (random_below(random, 100))
            plan->offset[b] -= plan->offset[b] % problem_alignment(problem, b);
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE && random_below(random, 50))
            plan->offset[b] = problem_fixed_offset(problem, b);
    }
    must(plan_set_peak(plan, problem, &error));
    if (!random_below(random, 20))
        plan->measures.peak_bytes += random_below(random, 3);
    return plan;
}

/* Both buffers use one byte of the arena at the step. */
static bool is_witness(const struct problem *problem, const struct plan *plan,
                       const struct verdict *verdict)
{
    uint32_t a = verdict->first, b = verdict->second, step = verdict->step;
    for (uint32_t s = problem->first[a]; s < problem->first[a + 1]; s++)
        for (uint32_t t = problem->first[b]; t < problem->first[b + 1]; t++)
            if (problem->lower[s] <= step && step < problem->upper[s] &&
                problem->lower[t] <= step && step < problem->upper[t] &&
                plan->offset[a] + problem_window_lower(problem, s) <
                    plan->offset[b] + problem_window_upper(problem, t) &&
                plan->offset[b] + problem_window_lower(problem, t) <
                    plan->offset[a] + problem_window_upper(problem, s))
                return a < b;
    return false;
}

static enum verify_fault compare_random(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    uint64_t buffers = 1 + random_below(&random, 8);
    struct verdict sweep, pairwise;
    while (buffers--)
        add_random_buffer(problem, &random);
    must(problem_finish(problem, &error));
    SCOPED(plan_release) struct plan *plan = create_random_plan(problem, &random);
    must(verify_plan(problem, plan, &sweep, &error));
    verify_plan_pairwise(problem, plan, &pairwise);
    bool agree = sweep.fault == VERIFY_OVERLAP
                     ? pairwise.fault == VERIFY_OVERLAP && is_witness(problem, plan, &sweep) &&
                           is_witness(problem, plan, &pairwise)
                     : same_verdict(sweep, pairwise);
    if (!agree)
        printf("\nseed %llu: sweep %s, pairwise %s\n", (unsigned long long)seed,
               verify_fault_name(sweep.fault), verify_fault_name(pairwise.fault));
    CU_ASSERT(agree);
    return sweep.fault;
}

static void test_sweep_against_pairwise(void)
{
    unsigned found[VERIFY_WRONG_PEAK + 1] = {0};
    for (uint64_t seed = 0; seed < 8000; seed++)
        found[compare_random(seed)]++;
    CU_ASSERT(found[VERIFY_VALID] > 1000);
    CU_ASSERT(found[VERIFY_OVERLAP] > 1000);
    CU_ASSERT(found[VERIFY_MISALIGNED] > 10);
    CU_ASSERT(found[VERIFY_NOT_FIXED] > 10);
    CU_ASSERT(found[VERIFY_WRONG_PEAK] > 10);
}

static void test_no_memory(void)
{
    SCOPED(problem_release) struct problem *problem = sketch_problem(four);
    SCOPED(plan_release) struct plan *plan = create_plan(problem, (uint64_t[]){0, 0, 8, 12}, 16);
    struct verdict verdict;
    uint64_t blocks = memory_live_blocks();
    for (uint64_t allowed = 0; allowed < 2; allowed++) {
        memory_fail_after(allowed);
        CU_ASSERT_EQUAL(verify_plan(problem, plan, &verdict, &error), STATUS_INTERNAL);
        CU_ASSERT_EQUAL(memory_live_blocks(), blocks);
    }
    memory_fail_after(UINT64_MAX);
}

static const struct test_case cases[] = {
    {"by hand", test_by_hand},
    {"wrong count", test_wrong_count},
    {"sweep against pairwise", test_sweep_against_pairwise},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/verify", cases)
