#include "plots/comparisons/curve.h"

#include "support/testing.h"

static void check_points(const char *text, const struct curve_point *points, unsigned count)
{
    struct curve_point point;
    for (unsigned i = 0; i < count; i++) {
        CU_ASSERT_TRUE_FATAL(curve_next(&text, &point));
        CU_ASSERT_EQUAL(point.time_ns, points[i].time_ns);
        CU_ASSERT_EQUAL(point.bound_bytes, points[i].bound_bytes);
        CU_ASSERT_EQUAL(point.peak_bytes, points[i].peak_bytes);
    }
    CU_ASSERT_FALSE(curve_next(&text, &point));
}

static void test_points(void)
{
    static const struct curve_point points[] = {
        {0, 80, UINT64_MAX}, {1200, 80, 128}, {18446744073709551615u, 96, 96}};
    check_points("", points, 0);
    check_points("0:80:", points, 1);
    check_points("0:80: 1200:80:128 18446744073709551615:96:96", points, 3);
}

static void test_other_text(void)
{
    static const char *const texts[] = {"x",     "1",    "1:",     "1:2",
                                        "1 2 3", ":1:2", "-1:2:3", "  1:2:3"};
    struct curve_point point;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = texts[i];
        CU_ASSERT_FALSE(curve_next(&text, &point));
    }
}

static const struct test_case cases[] = {
    {"points", test_points},
    {"what is no curve", test_other_text},
};
TESTING_MAIN("plots/comparisons/curve", cases)
