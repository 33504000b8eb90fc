#ifndef MEMPLAN_RESULTS_COMPARE_RANKS_H
#define MEMPLAN_RESULTS_COMPARE_RANKS_H

#include <stdint.h>

/* Compares several competitors by their ranks on several instances: Friedman's test and Nemenyi's
   critical difference. Demsar, "Statistical comparisons of classifiers over multiple data sets",
   JMLR 7, 2006, section 3.2.2. */

/* The least and the most competitors for which the critical difference is known. */
enum { RANKS_LEAST = 2, RANKS_MOST = 20 };

/* Adds to sum[count] the rank of each value, from 1 for the least; equal ones get the mean of their
   ranks. O(count^2). */
void ranks_add(const double *value, uint32_t count, double *sum);

struct ranks_test {
    double chi_square; /* Friedman's statistic, count - 1 degrees of freedom */
    double p_value;    /* the probability that mean ranks differ so much by chance */
    /* Mean ranks that differ by at least this are significantly different at the level of 5%. */
    double critical;
};

/* mean: [count] mean ranks over `instances` instances (at least 1); RANKS_LEAST <= count <=
   RANKS_MOST. */
struct ranks_test ranks_judge(const double *mean, uint32_t count, uint32_t instances);

#endif
