/* The heaviest antichain against every set of buffers. */

#include "planning/problem/bounds.h"
#include "planning/problem/clocks/antichain.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/copy.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_clocks.h"
#include "support/testing.h"

enum { SEEDS = TESTING_COUNT(10000, 1000), MOST_BUFFERS = 8, LARGER = 12 };

static bool is_antichain(const struct problem *problem, uint32_t set)
{
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = 0; b < a; b++)
            if ((set >> a & 1) && (set >> b & 1) && !random_clocks_conflict(problem, a, b))
                return false;
    return true;
}

static uint64_t try_all(const struct problem *problem, const uint64_t *size)
{
    uint64_t most = 0;
    for (uint32_t set = 0; set < 1U << problem->buffers; set++) {
        uint64_t bytes = 0;
        for (uint32_t b = 0; b < problem->buffers; b++)
            bytes += set >> b & 1 ? size[b] : 0;
        if (bytes > most && is_antichain(problem, set))
            most = bytes;
    }
    return most;
}

static void check(const struct problem *problem, const uint64_t *size)
{
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    SCOPED(antichain_clear) struct antichain antichain = {0};
    uint64_t bytes = 0;
    uint32_t set = 0;
    must(precedence_create(problem->clocks, &precedence, &error));
    must(antichain_find(precedence, size, &antichain, &error));
    for (uint32_t i = 0; i < antichain.count; i++) {
        set |= 1U << antichain.member[i];
        bytes += size[antichain.member[i]];
        CU_ASSERT(size[antichain.member[i]] > 0);
        CU_ASSERT(i == 0 || antichain.member[i] > antichain.member[i - 1]);
    }
    CU_ASSERT(is_antichain(problem, set));
    CU_ASSERT_EQUAL(bytes, antichain.bytes);
    CU_ASSERT_EQUAL(antichain.bytes, try_all(problem, size));
}

static void test_all(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_clocks_create(MOST_BUFFERS, seed % 5 + 1, &random);
        uint64_t some[MOST_BUFFERS];
        for (uint32_t b = 0; b < problem->buffers; b++)
            some[b] = random_below(&random, 2) * problem->size[b];
        check(problem, problem->size);
        check(problem, some);
    }
}

/* Whatever clocks become, their load is the heaviest antichain. */
static void test_load(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_clocks_create(MOST_BUFFERS, 9, &random);
        uint64_t load, most = try_all(problem, problem->size);
        must(problem_clocks_resolve(&problem, &error));
        must(problem_load(problem, &load, NULL, &error));
        CU_ASSERT_EQUAL(load, most);
    }
}

/* Buffers of a resolved problem, some of them left out, and the others with new sizes. */
static struct problem *change(const struct problem *problem, struct random_state *random)
{
    struct problem *changed;
    must(problem_create(&changed, "changed", &error));
    changed->line_end = problem->line_end;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (b + 1 == problem->buffers || random_below(random, 5)) {
            must(problem_add_copy(changed, problem, b, &error));
            problem_resize(changed, changed->buffers - 1, random_below(random, 99) + 1);
        }
    return changed;
}

/* The same buffers as if too many pairs conflicted, with steps that say nothing. */
static struct problem *copy_clocks(const struct problem *problem)
{
    struct problem *alone;
    must(problem_create(&alone, "alone", &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct problem_buffer buffer = {"b", problem->size[b], 1, PROBLEM_FREE, -1};
        const struct problem_segment segment = {0, PROBLEM_ANTICHAIN_STEP, 0, buffer.size};
        must(problem_add_buffer(alone, &buffer, &error));
        must(problem_add_clock(alone, problem_clock(problem, b), &error));
        must(problem_add_segment(alone, segment, &error));
    }
    alone->line_end = 0;
    alone->clocks->alone = true;
    return alone;
}

static void check_raised(struct problem *problem)
{
    uint64_t load;
    must(problem_clocks_raise_load(&problem, &error));
    must(problem_finish(problem, &error));
    must(problem_load(problem, &load, NULL, &error));
    CU_ASSERT_EQUAL(load, try_all(problem, problem->size));
    problem_free(problem);
}

/* What is made of resolved clocks has the load of its own heaviest antichain. */
static void test_load_of_changed(void)
{
    uint32_t raised = 0;
    for (uint64_t seed = 0; seed < SEEDS / 4; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_clocks_create(LARGER, 9, &random), *changed;
        uint64_t load;
        must(problem_clocks_resolve(&problem, &error));
        changed = change(problem, &random);
        must(problem_load(changed, &load, NULL, &error));
        if (changed->clocks) {
            raised += load < try_all(changed, changed->size);
            check_raised(copy_clocks(changed));
            check_raised(changed);
        } else {
            problem_free(changed);
        }
        problem_free(problem);
    }
    CU_ASSERT(raised > 0 || !TESTING_COUNT(1, 0));
}

/* Two buffers of each of many threads that know nothing of each other, one after the other: all of
   the heavier ones. */
static struct problem *make_threads(uint32_t threads)
{
    struct problem *problem;
    uint32_t start[64] = {0}, end[64] = {0};
    CU_ASSERT_FATAL(threads <= 64);
    must(problem_create(&problem, "threads", &error));
    for (uint32_t b = 0; b < 2 * threads; b++) {
        struct problem_buffer buffer = {"b", b + 1, 1, PROBLEM_FREE, -1};
        uint32_t thread = b % threads;
        start[thread] = b / threads;
        end[thread] = b / threads + 1;
        must(problem_add_buffer(problem, &buffer, &error));
        must(problem_add_clock(problem, (struct clock){threads, start, end}, &error));
        start[thread] = end[thread] = 0;
    }
    return problem;
}

static void test_threads(void)
{
    SCOPED(problem_release) struct problem *problem = make_threads(40);
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    SCOPED(antichain_clear) struct antichain antichain = {0};
    must(precedence_create(problem->clocks, &precedence, &error));
    must(antichain_find(precedence, problem->size, &antichain, &error));
    CU_ASSERT_EQUAL(antichain.count, 40);
    CU_ASSERT_EQUAL(antichain.bytes, 40 * 41 + 40 * 39 / 2);
}

static enum status find_anew(const void *input, struct error *found)
{
    const struct problem *problem = input;
    SCOPED(precedence_release) struct precedence *precedence = NULL;
    SCOPED(antichain_clear) struct antichain antichain = {0};
    TRY(precedence_create(problem->clocks, &precedence, found));
    return antichain_find(precedence, problem->size, &antichain, found);
}

static void test_allocations(void)
{
    SCOPED(problem_release) struct problem *problem = make_threads(4);
    fail_each(find_anew, problem);
}

static const struct test_case cases[] = {
    {"against every set", test_all},
    {"the load is an antichain", test_load},
    {"the load of buffers of which some were left out or changed", test_load_of_changed},
    {"threads that know nothing of each other", test_threads},
    {"allocations that fail", test_allocations},
};
TESTING_MAIN("planning/problem/antichain", cases)
