#include "results/compare/ranks.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* Critical values at the level of 5%: quantiles of the studentised range for infinitely many
   degrees of freedom, divided by the root of 2. Up to 10 competitors as in Demsar's Table 5(a),
   beyond by integrating the same distribution. */
static const double critical_values[RANKS_MOST - RANKS_LEAST + 1] = {
    1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164, 3.219,
    3.268, 3.313, 3.354, 3.391, 3.426, 3.458, 3.489, 3.517, 3.544};

void ranks_add(const double *value, uint32_t count, double *sum)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t less = 0, equal = 0;
        for (uint32_t k = 0; k < count; k++) {
            less += value[k] < value[i];
            equal += !(value[k] < value[i]) && !(value[k] > value[i]);
        }
        sum[i] += less + (equal + 1) / 2.0;
    }
}

/* The upper tail of the chi-square distribution: for an even number of degrees of freedom a sum of
   Poisson's terms, for an odd one the same in steps of a half (Abramowitz and Stegun 26.4.4 and
   26.4.5). */
static double find_tail(double chi_square, uint32_t freedom)
{
    const double root_of_pi = sqrt(4 * atan(1));
    double half = chi_square / 2, tail, term;
    bool odd = freedom % 2;
    if (half <= 0)
        return 1;
    tail = odd ? erfc(sqrt(half)) : exp(-half);
    term = exp(-half) * (odd ? 2 * sqrt(half) / root_of_pi : half);
    for (double at = odd ? 1.5 : 2; at <= freedom / 2.0; at++) {
        tail += term;
        term *= half / at;
    }
    return fmin(1, tail);
}

struct ranks_test ranks_judge(const double *mean, uint32_t count, uint32_t instances)
{
    assert(count >= RANKS_LEAST && count <= RANKS_MOST && instances);
    struct ranks_test test = {0};
    double squares = 0, k = count, n = instances;
    for (uint32_t i = 0; i < count; i++)
        squares += mean[i] * mean[i];
    test.chi_square = fmax(0, 12 * n / (k * (k + 1)) * (squares - k * (k + 1) * (k + 1) / 4));
    test.p_value = find_tail(test.chi_square, count - 1);
    test.critical = critical_values[count - RANKS_LEAST] * sqrt(k * (k + 1) / (6 * n));
    return test;
}
