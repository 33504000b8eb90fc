#include "core/random.h"
#include "core/sort.h"
#include "support/testing.h"

enum { MOST = 400 };

static void expect_sorted(const uint64_t *unsorted, size_t count)
{
    uint64_t key[MOST];
    uint32_t item[MOST];
    struct error error;
    for (size_t i = 0; i < count; i++) {
        key[i] = unsorted[i];
        item[i] = (uint32_t)i;
    }
    CU_ASSERT_EQUAL(sort_items(key, item, count, &error), STATUS_OK);
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

static const struct test_case cases[] = {
    {"random keys, stable", test_random_keys},
    {"extremes", test_extremes},
};
TESTING_MAIN("core/sort", cases)
