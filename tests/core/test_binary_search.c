#include "core/binary_search.h"

#include <stdint.h>

#include "support/testing.h"

/* Every place at which the condition may begin to hold, in every range of up to eight indices. */
static void every_place_is_found(void)
{
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = from; to < from + 8; to++)
            for (uint32_t first = from; first <= to; first++)
                CU_ASSERT_EQUAL(BINARY_SEARCH(at, from, to, at >= first), first);
}

static void an_empty_range(void)
{
    uint32_t none = 0, evaluations = 0;
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, none, (evaluations++, at < none)), 0);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 1, none, (evaluations++, at < none)), 1);
    CU_ASSERT_EQUAL(evaluations, 0);
}

/* The middle of two large indices does not overflow. */
static void large_indices(void)
{
    const uint32_t to = UINT32_MAX;
    const uint64_t far = UINT64_MAX;
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, to - 3, to, at >= to - 1), to - 1);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, far, at >= far - 1), far - 1);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, far, at >= 5), 5);
}

static void few_evaluations(void)
{
    uint32_t evaluations = 0, count = 1 << 20;
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, count, (evaluations++, at >= 777)), 777);
    CU_ASSERT(evaluations <= 21);
}

static const struct test_case cases[] = {
    {"every place is found", every_place_is_found},
    {"an empty range", an_empty_range},
    {"large indices", large_indices},
    {"few evaluations", few_evaluations},
};

TESTING_MAIN("core/binary_search", cases)
