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

/* An empty range is not looked at, a long one seldom; the middle of two large indices does not
   overflow. */
static void few_looks_at_large_indices(void)
{
    const uint32_t to = UINT32_MAX;
    const uint64_t far = UINT64_MAX;
    uint32_t none = 0, looks = 0, count = 1 << 20;
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, none, (looks++, at < none)), 0);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 1, none, (looks++, at < none)), 1);
    CU_ASSERT_EQUAL(looks, 0);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, count, (looks++, at >= 777)), 777);
    CU_ASSERT(looks <= 21);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, to - 3, to, at >= to - 1), to - 1);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, far, at >= far - 1), far - 1);
    CU_ASSERT_EQUAL(BINARY_SEARCH(at, 0, far, at >= 5), 5);
}

static const struct test_case cases[] = {
    {"every place is found", every_place_is_found},
    {"few looks at large indices", few_looks_at_large_indices},
};

TESTING_MAIN("core/binary_search", cases)
