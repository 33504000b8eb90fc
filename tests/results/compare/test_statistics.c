#include <math.h>

#include "results/compare/statistics.h"
#include "support/must.h"
#include "support/testing.h"

static void test_sign_test(void)
{
    CU_ASSERT_DOUBLE_EQUAL(statistics_sign_test(0, 0), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(statistics_sign_test(5, 5), 1, 1e-12);
    /* 2 * (1 + 10) / 1024. */
    CU_ASSERT_DOUBLE_EQUAL(statistics_sign_test(9, 1), 22.0 / 1024, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(statistics_sign_test(1, 9), statistics_sign_test(9, 1), 1e-15);
    CU_ASSERT(statistics_sign_test(100000, 90000) < 1e-100);
}

static double rank_p(const double *difference, uint32_t count)
{
    double p_value = -1;
    must(statistics_signed_rank_test(difference, count, &p_value, &error));
    return p_value;
}

static void test_signed_ranks_exactly(void)
{
    static const double all_up[] = {1, 2, 3, 4, 5, 6};
    static const double one_down[] = {-1, 2, 3, 4, 5, 6};
    static const double with_zeros[] = {0, 0, 1, 2, 3, 4, 5, 6};
    static const double equal[] = {1, 1, -1, 1};
    CU_ASSERT_DOUBLE_EQUAL(rank_p(NULL, 0), 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rank_p(all_up, 6), 2.0 / 64, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rank_p(one_down, 6), 4.0 / 64, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rank_p(with_zeros, 8), 2.0 / 64, 1e-12);
    /* Four equal ranks: as the sign test of 3 against 1. */
    CU_ASSERT_DOUBLE_EQUAL(rank_p(equal, 4), statistics_sign_test(3, 1), 1e-12);
    /* The same of logarithms of one ratio, and one of zero, that rounding sets apart. */
    const double apart = log(34000) - log(17850), up = log(2000) - log(1050);
    const double rounded[] = {apart, up, -up, apart, apart - up};
    CU_ASSERT(apart != up);
    CU_ASSERT_DOUBLE_EQUAL(rank_p(rounded, 5), statistics_sign_test(3, 1), 1e-12);
}

/* Beyond the exact ranks the normal distribution takes over: it must meet the exact value there. */
static void test_signed_ranks_approximately(void)
{
    double difference[STATISTICS_EXACT_RANKS + 1];
    for (int i = 0; i <= STATISTICS_EXACT_RANKS; i++)
        difference[i] = (i % 3 ? 1 : -1) * (i + 1.0);
    double exact = rank_p(difference, STATISTICS_EXACT_RANKS);
    double approximate = rank_p(difference, STATISTICS_EXACT_RANKS + 1);
    CU_ASSERT(exact > 0.01 && exact < 0.2);
    CU_ASSERT_DOUBLE_EQUAL(exact, approximate, 0.02);
}

/* Against printed tables of Student's t. */
static void test_mean(void)
{
    static const struct {
        uint32_t count, tests;
        double t;
    } known[] = {{2, 1, 12.706}, {3, 1, 4.303},   {4, 1, 3.182},   {11, 1, 2.228},  {11, 5, 3.169},
                 {6, 1, 2.571},  {121, 1, 1.980}, {31, 50, 3.646}, {5000, 1, 1.962}};
    double value[5000];
    for (int i = 0; i < 5000; i++)
        value[i] = i % 2;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double n = known[i].count, ones = floor(n / 2), mean = ones / n;
        double deviation = sqrt((ones - n * mean * mean) / (n - 1));
        const struct statistics_interval interval =
            statistics_mean(value, known[i].count, known[i].tests);
        CU_ASSERT_DOUBLE_EQUAL(interval.value, mean, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL((interval.upper - mean) * sqrt(n) / deviation, known[i].t, 0.001);
        CU_ASSERT_DOUBLE_EQUAL((mean - interval.lower) * sqrt(n) / deviation, known[i].t, 0.001);
    }
    const struct statistics_interval one = statistics_mean(value, 1, 7);
    CU_ASSERT(one.value == 0 && isinf(one.lower) && isinf(one.upper) && one.lower < one.upper);
}

/* The probabilities of Holm's own example and, by his definition, the least level at which each is
   rejected. */
static void test_holm(void)
{
    double p_value[] = {0.01, 0.04, 0.03, 0.005}, one[] = {0.2};
    static const double expected[] = {0.03, 0.06, 0.06, 0.02};
    must(statistics_holm(p_value, 4, &error));
    for (int i = 0; i < 4; i++)
        CU_ASSERT_DOUBLE_EQUAL(p_value[i], expected[i], 1e-12);
    must(statistics_holm(one, 1, &error));
    CU_ASSERT_DOUBLE_EQUAL(one[0], 0.2, 1e-12);
    must(statistics_holm(NULL, 0, &error));
}

static void test_median(void)
{
    static const uint64_t sample[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct statistics_interval median = statistics_median(sample, 1);
    CU_ASSERT(median.value == 1 && median.lower == 1 && median.upper == 1);
    median = statistics_median(sample, 5);
    CU_ASSERT(median.value == 3 && median.lower == 1 && median.upper == 5);
    /* Of ten values the second and the ninth: 1 - 2 * 11 / 1024. */
    median = statistics_median(sample, 10);
    CU_ASSERT(median.value == 5.5 && median.lower == 2 && median.upper == 9);
    /* Of six values the first and the last: 1 - 2 / 64. */
    median = statistics_median(sample, 6);
    CU_ASSERT(median.lower == 1 && median.upper == 6);
}

static const struct test_case cases[] = {
    {"sign test", test_sign_test},
    {"signed ranks, exactly", test_signed_ranks_exactly},
    {"signed ranks, approximately", test_signed_ranks_approximately},
    {"mean and interval", test_mean},
    {"Holm's correction", test_holm},
    {"median and interval", test_median},
};
TESTING_MAIN("statistics", cases)
