#ifndef MEMPLAN_RESULTS_COMPARE_STATISTICS_H
#define MEMPLAN_RESULTS_COMPARE_STATISTICS_H

#include <stdint.h>

#include "core/error.h"

/* The few statistics that a comparison of two sides needs. Nothing here knows what is compared. */

/* A number and the range in which its true value lies with 95% confidence. */
struct statistics_interval {
    double value, lower, upper;
};

/* Two-sided sign test: the probability of a split of wins and losses at least as uneven as this one
   if both sides are equally good; 1 without wins and losses. Exact. O(wins + losses). Dixon and
   Mood, "The statistical sign test", 1946. */
double statistics_sign_test(uint64_t wins, uint64_t losses);

/* Differences that are no further apart than this count as equal: by rounding, the logarithms of
   equal ratios of different numbers of bytes may differ a little. */
#define STATISTICS_EQUAL 1e-12

/* Two-sided signed-rank test: the probability of differences at least as far from balance as these
   if they are symmetric about 0; 1 without any. difference: [count]; zeros are left out, equal
   sizes get the mean of their ranks. Exact up to STATISTICS_EXACT_RANKS differences, then by the
   normal distribution with correction for equal sizes. O(count log count), exact O(count^3).
   Wilcoxon, "Individual comparisons by ranking methods", 1945. */
enum { STATISTICS_EXACT_RANKS = 50 };
enum status statistics_signed_rank_test(const double *difference, uint32_t count, double *p_value,
                                        struct error *error);

/* The mean of value: [count], at least 1, and the interval that is one of `tests` intervals, at
   least 1, which with 95% confidence all hold what is true: by Student's t at the level of 1 - 0.05
   / tests (Bonferroni). From -INFINITY to INFINITY for one value. More than 1001 values are taken
   as if they were 1001. O(count). Student, "The probable error of a mean", 1908. */
struct statistics_interval statistics_mean(const double *value, uint32_t count, uint32_t tests);

/* Corrects probabilities for the number of tests that they come from: replaces each of p_value:
   [count] by the least level at which Holm's procedure rejects its hypothesis. If one rejects all
   that are at most 5% then, the chance that any of these rejections is wrong is at most 5%.
   O(count log count). Holm, "A simple sequentially rejective multiple test procedure", 1979. */
enum status statistics_holm(double *p_value, uint32_t count, struct error *error);

/* The median of sorted: [count], at least 1, ascending, and the narrowest pair of its own values
   around it that holds the true median with 95% confidence; the least and the greatest where there
   are too few values. Exact by the binomial distribution. O(count). */
struct statistics_interval statistics_median(const uint64_t *sorted, uint32_t count);

#endif
