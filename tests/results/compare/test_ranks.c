#include "results/compare/ranks.h"

#include <math.h>

#include "support/testing.h"

static void check_near(double value, double wanted, double tolerance)
{
    CU_ASSERT_TRUE(fabs(value - wanted) <= tolerance);
}

static void equal_values_share_their_ranks(void)
{
    const double value[] = {5, 1, 5, 3, 5};
    double sum[5] = {0, 10, 0, 0, 0};
    ranks_add(value, 5, sum);
    check_near(sum[0], 4, 0);
    check_near(sum[1], 11, 0);
    check_near(sum[2], 4, 0);
    check_near(sum[3], 2, 0);
    check_near(sum[4], 4, 0);
}

/* Demsar's own example: four competitors over 14 data sets, 9.28 and 1.25 in sections 3.2.2. */
static void the_example_of_the_paper(void)
{
    const double mean[] = {3.143, 2.000, 2.893, 1.964};
    struct ranks_test test = ranks_judge(mean, 4, 14);
    check_near(test.chi_square, 9.28, 0.01);
    check_near(test.critical, 1.25, 0.01);
    /* The tail of the chi-square distribution with 3 degrees of freedom. */
    check_near(test.p_value, 0.0258, 0.0002);
}

/* Tails by the tables: 5% beyond 3.841, 5.991, 9.488 and 16.919 for 1, 2, 4 and 9 degrees. */
static void tails_are_those_of_the_tables(void)
{
    static const struct {
        uint32_t count;
        double chi_square;
    } rows[] = {{2, 3.841}, {3, 5.991}, {5, 9.488}, {10, 16.919}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        double k = rows[i].count, mean[RANKS_MOST];
        /* The first and the last competitor are as far from the middle as gives this statistic. */
        double apart = sqrt(rows[i].chi_square * k * (k + 1) / (12 * 100) / 2);
        for (uint32_t c = 0; c < rows[i].count; c++)
            mean[c] = (k + 1) / 2 + (c == 0 ? -apart : c + 1 == rows[i].count ? apart : 0);
        struct ranks_test test = ranks_judge(mean, rows[i].count, 100);
        check_near(test.chi_square, rows[i].chi_square, 1e-6);
        check_near(test.p_value, 0.05, 1e-4);
    }
}

static void nobody_is_better(void)
{
    const double mean[] = {1.5, 1.5};
    struct ranks_test test = ranks_judge(mean, 2, 3);
    check_near(test.chi_square, 0, 0);
    check_near(test.p_value, 1, 0);
    check_near(test.critical, 1.960 * sqrt(2 * 3 / 18.0), 1e-12);
}

static const struct test_case cases[] = {
    {"equal values share their ranks", equal_values_share_their_ranks},
    {"the example of the paper", the_example_of_the_paper},
    {"tails are those of the tables", tails_are_those_of_the_tables},
    {"nobody is better", nobody_is_better},
};
TESTING_MAIN("results/compare/ranks", cases)
