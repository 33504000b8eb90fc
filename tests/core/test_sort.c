#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/random.h"
#include "core/sort.h"
#include "support/must.h"
#include "support/testing.h"

enum { MOST = 400 };

static void expect_sorted(const uint64_t *unsorted, size_t count)
{
    uint64_t key[MOST];
    uint32_t item[MOST];
    for (size_t i = 0; i < count; i++) {
        key[i] = unsorted[i];
        item[i] = (uint32_t)i;
    }
    must(sort_items(key, item, count, &error));
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(key[i], unsorted[item[i]]);
        if (i)
            CU_ASSERT_TRUE(key[i - 1] < key[i] || (key[i - 1] == key[i] && item[i - 1] < item[i]));
    }
}

/* Few values, so that many are equal, in a byte or two of the eight. */
static void test_random_keys(void)
{
    struct random_state random = random_seed(7);
    for (unsigned round = 0; round < 2000; round++) {
        uint64_t key[MOST];
        size_t count = (size_t)random_below(&random, MOST);
        unsigned low = (unsigned)random_below(&random, 60);
        uint64_t values = 1 + random_below(&random, 600);
        for (size_t i = 0; i < count; i++)
            key[i] = (random_below(&random, values) << low) + 3;
        expect_sorted(key, count);
    }
}

static void test_extremes(void)
{
    expect_sorted((const uint64_t[]){UINT64_MAX, 0, UINT64_MAX, 1, 0}, 5);
    expect_sorted((const uint64_t[]){5}, 1);
    expect_sorted((const uint64_t[]){5, 5}, 2);
}

static uint64_t get_tens(const void *context, uint32_t number)
{
    const uint32_t *value = context;
    return value[number] / 10;
}

static uint64_t get_ones(const void *context, uint32_t number)
{
    const uint32_t *value = context;
    return value[number] % 10;
}

/* The keys of two numbers in turn, least significant last; one number comes before the other. */
static bool comes_before(const uint32_t *value, uint32_t a, uint32_t b)
{
    if (get_tens(value, a) != get_tens(value, b))
        return get_tens(value, a) > get_tens(value, b);
    if (get_ones(value, a) != get_ones(value, b))
        return get_ones(value, a) < get_ones(value, b);
    return a < b;
}

static void test_keys(void)
{
    static const struct sort_key key[SORT_MOST_KEYS] = {
        {.value = get_tens, .descending = true}, {0}, {.value = get_ones}};
    struct random_state random = random_seed(9);
    for (uint32_t count = 0; count < 200; count++) {
        uint32_t value[MOST], sorted[MOST], seen[MOST] = {0};
        for (uint32_t i = 0; i < count; i++)
            value[i] = (uint32_t)random_below(&random, 100);
        must(sort_by_keys(key, value, count, sorted, &error));
        for (uint32_t i = 0; i < count; i++) {
            CU_ASSERT_TRUE_FATAL(sorted[i] < count);
            CU_ASSERT_EQUAL(seen[sorted[i]]++, 0);
            CU_ASSERT_TRUE(i == 0 || comes_before(value, sorted[i - 1], sorted[i]));
        }
    }
}

/* Keys of both widths, in an array and in a member of items. */
static void test_arrays(void)
{
    static const struct item {
        uint8_t padding;
        uint32_t few;
        uint64_t many;
    } items[] = {{0, 7, 1}, {1, 3, UINT64_C(1) << 40}, {2, 7, 0}, {3, 3, UINT64_C(1) << 41}};
    static const uint32_t array[] = {1, 1, 0, UINT32_MAX};
    const struct sort_key by_members[SORT_MOST_KEYS] = {
        {SORT_MEMBER(items, struct item, few), .descending = true},
        {SORT_MEMBER(items, struct item, many)}};
    const struct sort_key by_array[SORT_MOST_KEYS] = {{SORT_ARRAY(array)}};
    uint32_t sorted[4];
    must(sort_by_keys(by_members, NULL, 4, sorted, &error));
    CU_ASSERT_EQUAL(memcmp(sorted, (const uint32_t[]){2, 0, 1, 3}, sizeof sorted), 0);
    must(sort_by_keys(by_array, NULL, 4, sorted, &error));
    CU_ASSERT_EQUAL(memcmp(sorted, (const uint32_t[]){2, 0, 1, 3}, sizeof sorted), 0);
}

struct named {
    const char *name;
    double share;
    uint32_t number;
};

COMPARE_BY(compare_named, struct named, compare_reals(b->share, a->share), strcmp(a->name, b->name),
           compare_numbers(a->number, b->number))
COMPARE_BY(compare_share, struct named, compare_reals(a->share, b->share))

/* Each comparison counts only where those before it find the two equal. */
static void test_comparators(void)
{
    struct named item[] = {{"b", 1, 1}, {"b", 1, 0}, {"a", 1, 9}, {"z", 2.5, 7}, {"a", -1, 0}};
    qsort(item, 5, sizeof *item, compare_named);
    CU_ASSERT(item[0].number == 7 && item[1].number == 9 && item[4].share == -1);
    CU_ASSERT(item[2].number == 0 && item[3].number == 1);
    CU_ASSERT(compare_share(&item[0], &item[1]) > 0 && compare_share(&item[4], &item[1]) < 0);
    CU_ASSERT_EQUAL(compare_share(&item[1], &item[2]), 0);
}

static const struct test_case cases[] = {
    {"by several comparisons", test_comparators},
    {"by several keys", test_keys},
    {"by arrays", test_arrays},
    {"random keys, stable", test_random_keys},
    {"extremes", test_extremes},
};
TESTING_MAIN("core/sort", cases)
