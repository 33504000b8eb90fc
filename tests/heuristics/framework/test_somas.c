#include <string.h>

#include "heuristics/framework/somas_buckets.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/testing.h"

static struct scratch scratch;

/* The second implementation: buckets one after another, each looked through offset by offset. */

static int64_t count_conflicts(const struct problem *problem, uint32_t buffer)
{
    int64_t count = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        count += b != buffer && rule_test_conflict(problem, b, buffer);
    return count;
}

#define SIZE                                                                                       \
    {                                                                                              \
        1, rule_test_size                                                                          \
    }
#define LATER                                                                                      \
    {                                                                                              \
        1, rule_test_position                                                                      \
    }
static const struct rule_test_key orders[][RULE_TEST_KEYS] = {
    {SIZE},
    {SIZE, LATER},
    {SIZE, {-1, count_conflicts}},
    {SIZE, {-1, count_conflicts}, LATER},
    {SIZE, {1, count_conflicts}},
    {SIZE, {1, count_conflicts}, LATER},
};

static void mark_taken(const struct problem *problem, const uint64_t *offset, uint32_t buffer,
                       bool *taken)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (offset[b] != PROBLEM_FREE && rule_test_conflict(problem, b, buffer))
            memset(taken + offset[b], true, problem->size[b]);
}

static bool is_better(enum somas_gap gap, uint64_t offset, uint64_t bytes, uint64_t chosen,
                      uint64_t chosen_bytes)
{
    if (gap == SOMAS_BEST)
        return bytes < chosen_bytes;
    if (gap == SOMAS_LARGEST)
        return bytes > chosen_bytes;
    return gap == SOMAS_HIGHEST ? offset > chosen : offset < chosen;
}

static uint64_t search_bytes(const struct problem *problem, const uint64_t *offset, uint32_t buffer,
                             uint64_t from, uint64_t to, enum somas_gap gap)
{
    bool taken[RULE_TEST_BYTES] = {false};
    uint64_t chosen = PROBLEM_FREE, chosen_bytes = 0;
    mark_taken(problem, offset, buffer, taken);
    for (uint64_t begin = from, end; begin < to; begin = end + 1) {
        for (end = begin; end < to && !taken[end];)
            end++;
        uint64_t alignment = problem_alignment(problem, buffer);
        uint64_t place = (begin + alignment - 1) / alignment * alignment;
        if (end == begin || place + problem->size[buffer] > end)
            continue;
        if (chosen == PROBLEM_FREE || is_better(gap, place, end - begin, chosen, chosen_bytes)) {
            chosen = place;
            chosen_bytes = end - begin;
        }
    }
    return chosen;
}

struct buckets {
    uint64_t begin[RULE_TEST_BUFFERS], end[RULE_TEST_BUFFERS], top;
    uint32_t count;
};

static void put_into_bucket(const struct problem *problem, struct buckets *buckets, uint32_t buffer,
                            enum somas_gap gap, uint64_t *offset)
{
    for (uint32_t i = 0; i < buckets->count && offset[buffer] == PROBLEM_FREE; i++)
        offset[buffer] = search_bytes(problem, offset, buffer, buckets->begin[i], buckets->end[i],
                                      i ? SOMAS_BEST : gap);
    if (offset[buffer] != PROBLEM_FREE)
        return;
    while (buckets->top % problem_alignment(problem, buffer))
        buckets->top++;
    offset[buffer] = buckets->begin[buckets->count] = buckets->top;
    buckets->end[buckets->count++] = buckets->top += problem->size[buffer];
}

static void set_fixed(const struct problem *problem, struct buckets *buckets, uint64_t *offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        offset[b] = problem_fixed_offset(problem, b);
        if (offset[b] != PROBLEM_FREE && offset[b] + problem->size[b] > buckets->top)
            buckets->top = offset[b] + problem->size[b];
    }
}

static void share_objects(const struct problem *problem, const uint32_t *sorted, enum somas_gap gap,
                          uint64_t *offset)
{
    struct buckets buckets = {.count = 0};
    set_fixed(problem, &buckets, offset);
    for (uint32_t i = 0; i < problem->buffers; i++)
        if (offset[sorted[i]] == PROBLEM_FREE)
            put_into_bucket(problem, &buckets, sorted[i], gap, offset);
}

static void use_one_object(const struct problem *problem, const uint32_t *sorted,
                           enum somas_gap gap, uint64_t *offset)
{
    struct buckets none = {.count = 0};
    set_fixed(problem, &none, offset);
    for (uint32_t i = 0; i < problem->buffers; i++)
        if (offset[sorted[i]] == PROBLEM_FREE)
            offset[sorted[i]] = search_bytes(problem, offset, sorted[i], 0, RULE_TEST_BYTES, gap);
}

static void keep_last(const struct problem *problem, const uint64_t *tried, uint64_t *peak,
                      uint64_t *offset)
{
    uint64_t found = rule_test_peak(problem, tried);
    if (found > *peak)
        return;
    *peak = found;
    memcpy(offset, tried, problem->buffers * sizeof *offset);
}

/* With as many orders as the number says, one or six. */
static void solve(const struct problem *problem, const struct rule_test_how *how, uint64_t *offset)
{
    enum somas_gap gaps = how->number == 1 ? SOMAS_LOWEST : SOMAS_LARGEST;
    uint32_t sorted[RULE_TEST_BUFFERS];
    uint64_t peak = UINT64_MAX, tried[RULE_TEST_BUFFERS];
    for (int shared = 1; shared >= 0; shared--)
        for (uint64_t i = 0; i < how->number; i++) {
            rule_test_sort(problem, orders[i], sorted);
            for (enum somas_gap gap = SOMAS_BEST; gap <= gaps; gap++) {
                (shared ? share_objects : use_one_object)(problem, sorted, gap, tried);
                keep_last(problem, tried, &peak, offset);
            }
        }
}

static void test_references(void)
{
    rule_test_compare("somas", solve, &(struct rule_test_how){.number = 1}, 10000);
    rule_test_compare("somas?debug=1", solve, &(struct rule_test_how){.number = 6}, 500);
}

/* c and d share a's bucket, and e opens one on top of b's: 4 + 3 + 1. One object would need as
   much, and comes later. */
static void test_example(void)
{
    static const struct made_buffer rows[] = {
        {0, 2, 4}, {0, 4, 3}, {2, 4, 2}, {2, 4, 2}, {2, 3, 1}};
    rule_test_expect("somas", rows, 5, (const uint64_t[]){0, 4, 0, 2, 7});
}

/* The second bucket has ten bytes free below d and six above it: e takes the smaller gap, though
   the choice for the first bucket is the lowest one. */
static void test_later_buckets(void)
{
    static const struct made_buffer rows[] = {
        {0, 10, 100}, {0, 1, 20}, {1, 6, 10}, {3, 9, 4}, {7, 8, 4}};
    static const uint64_t expected[] = {0, 100, 100, 110, 114};
    static const uint32_t sorted[] = {0, 1, 2, 3, 4};
    struct problem *problem = made_problem(rows, 5);
    struct somas_buckets buckets;
    struct occupancy *occupancy;
    uint64_t offset[5], peak;
    must(occupancy_create(problem, &occupancy, &error));
    must(somas_buckets_create(problem, occupancy, &buckets, &scratch, &error));
    must(somas_buckets_place(&buckets, &(struct somas_rule){sorted, SOMAS_LOWEST}, offset, &peak,
                             &error));
    CU_ASSERT_EQUAL(peak, 120);
    CU_ASSERT_EQUAL(memcmp(offset, expected, sizeof expected), 0);
    scratch_free(&scratch);
    occupancy_free(occupancy);
    problem_free(problem);
}

static void test_no_memory(void)
{
    rule_test_fail_each("somas");
    rule_test_fail_each("somas?debug=1");
}

static const struct test_case cases[] = {
    {"by hand", test_example},
    {"later buckets", test_later_buckets},
    {"against bytes", test_references},
    {"no memory", test_no_memory},
};
TESTING_MAIN("heuristics/somas", cases)
