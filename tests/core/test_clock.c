#include "core/clock.h"
#include "support/testing.h"

static const uint64_t hour_ns = UINT64_C(3600000000000);

static void test_deadlines(void)
{
    uint64_t left_ns = clock_left_ns(clock_deadline_ns(hour_ns));
    CU_ASSERT_EQUAL(clock_deadline_ns(UINT64_MAX), UINT64_MAX);
    CU_ASSERT_EQUAL(clock_deadline_ns(UINT64_MAX - 1), UINT64_MAX);
    CU_ASSERT_EQUAL(clock_left_ns(UINT64_MAX), UINT64_MAX);
    CU_ASSERT_EQUAL(clock_left_ns(0), 0);
    CU_ASSERT_EQUAL(clock_left_ns(clock_monotonic_ns()), 0);
    CU_ASSERT_EQUAL(clock_left_ns(clock_deadline_ns(0)), 0);
    CU_ASSERT_TRUE(left_ns > 0 && left_ns <= hour_ns);
}

static const struct test_case cases[] = {{"deadlines", test_deadlines}};

TESTING_MAIN("core/clock", cases)
