#include "results/compare/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"

static const double confidence = 0.95;

/* The probability of exactly `hits` heads in `tosses` throws of a fair coin. */
static double coin_probability(uint64_t tosses, uint64_t hits)
{
    return exp(lgamma((double)tosses + 1) - lgamma((double)hits + 1) -
               lgamma((double)(tosses - hits) + 1) - (double)tosses * log(2));
}

double statistics_sign_test(uint64_t wins, uint64_t losses)
{
    uint64_t fewer = wins < losses ? wins : losses;
    double tail = 0;
    for (uint64_t i = 0; i <= fewer; i++)
        tail += coin_probability(wins + losses, i);
    return fmin(1, 2 * tail);
}

/* The absolute value of a difference, and twice its rank, which is an integer even where two ranks
   are averaged. */
struct ranked {
    double size;
    uint32_t doubled_rank;
    int positive;
};

COMPARE_BY(compare_sizes, struct ranked, compare_reals(a->size, b->size))

enum status statistics_signed_rank_test(const double *difference, uint32_t count, double *p_value,
                                        struct error *error)
{
    SCOPED(memory_release) struct ranked *ranked = NULL;
    SCOPED(memory_release) double *ways = NULL;
    uint32_t used = 0;
    double ties = 0, sum = 0;
    TRY(memory_create(&ranked, count, sizeof *ranked, error));
    for (uint32_t i = 0; i < count; i++)
        if (fabs(difference[i]) > STATISTICS_EQUAL)
            ranked[used++] = (struct ranked){fabs(difference[i]), 0, difference[i] > 0};
    qsort(ranked, used, sizeof *ranked, compare_sizes);

    /* Equal sizes get the mean of the ranks they take up; ties is the sum of t^3 - t over groups of
       t equal sizes. */
    for (uint32_t first = 0, end; first < used; first = end) {
        end = first + 1;
        while (end < used && ranked[end].size - ranked[first].size <= STATISTICS_EQUAL)
            end++;
        double equal = end - first;
        ties += equal * equal * equal - equal;
        for (uint32_t i = first; i < end; i++)
            ranked[i].doubled_rank = first + 1 + end;
    }
    for (uint32_t i = 0; i < used; i++)
        sum += ranked[i].positive ? ranked[i].doubled_rank / 2.0 : 0;
    if (used > STATISTICS_EXACT_RANKS) {
        double n = used, mean = n * (n + 1) / 4;
        double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
        double distance = fmax(0, fabs(sum - mean) - 0.5);
        *p_value = variance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
        return STATUS_OK;
    }

    /* ways[s] is the share of the 2^used choices of signs for which the doubled ranks of the
       positive differences sum to s. */
    uint32_t total = used * (used + 1), doubled_sum = (uint32_t)(2 * sum);
    uint32_t fewer = doubled_sum < total - doubled_sum ? doubled_sum : total - doubled_sum;
    double tail = 0;
    TRY(memory_create(&ways, total + (size_t)1, sizeof *ways, error));
    ways[0] = 1;
    for (uint32_t i = 0, reached = 0; i < used; i++) {
        uint32_t rank = ranked[i].doubled_rank;
        reached += rank;
        for (uint32_t s = reached + 1; s-- > 0;)
            ways[s] = (ways[s] + (s >= rank ? ways[s - rank] : 0)) / 2;
    }
    for (uint32_t s = 0; s <= fewer; s++)
        tail += ways[s];
    *p_value = fmin(1, 2 * tail);
    return STATUS_OK;
}

/* The probability that Student's t with the given degrees of freedom is within [-t, t]: the finite
   series for whole degrees, Abramowitz and Stegun, "Handbook of mathematical functions", 26.7.3 and
   26.7.4. */
static double student_within(double t, uint32_t degrees)
{
    double angle = atan(t / sqrt(degrees)), square = cos(angle) * cos(angle);
    bool is_odd = degrees % 2;
    double term = is_odd ? cos(angle) : 1, sum = degrees > 1 ? term : 0;
    for (uint32_t i = is_odd ? 3 : 2; i + 1 < degrees; i += 2) {
        term *= square * (i - 1) / i;
        sum += term;
    }
    return is_odd ? (angle + sin(angle) * sum) * 2 / acos(-1) : sin(angle) * sum;
}

struct statistics_interval statistics_mean(const double *value, uint32_t count, uint32_t tests)
{
    enum { MOST_DEGREES = 1000 };
    uint32_t degrees = count - 1 < MOST_DEGREES ? count - 1 : MOST_DEGREES;
    double sum = 0, squares = 0, low = 0, high = 1, level = 1 - (1 - confidence) / tests;
    assert(count && tests);
    for (uint32_t i = 0; i < count; i++)
        sum += value[i];
    double mean = sum / count;
    if (!degrees)
        return (struct statistics_interval){mean, -INFINITY, INFINITY};
    for (uint32_t i = 0; i < count; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    while (student_within(high, degrees) < level && high < 1e9)
        high *= 2;
    for (int halving = 0; halving < 60; halving++) {
        double middle = (low + high) / 2;
        *(student_within(middle, degrees) < level ? &low : &high) = middle;
    }
    double half = high * sqrt(squares / (count - 1.0) / count);
    return (struct statistics_interval){mean, mean - half, mean + half};
}

/* A probability and where it stood. */
struct placed {
    double p_value;
    uint32_t place;
};

COMPARE_BY(compare_placed, struct placed, compare_reals(a->p_value, b->p_value),
           compare_numbers(a->place, b->place))

enum status statistics_holm(double *p_value, uint32_t count, struct error *error)
{
    SCOPED(memory_release) struct placed *placed = NULL;
    double highest = 0;
    TRY(memory_create(&placed, count, sizeof *placed, error));
    for (uint32_t i = 0; i < count; i++)
        placed[i] = (struct placed){p_value[i], i};
    if (count)
        qsort(placed, count, sizeof *placed, compare_placed);
    for (uint32_t i = 0; i < count; i++) {
        highest = fmax(highest, fmin(1, (count - i) * placed[i].p_value));
        p_value[placed[i].place] = highest;
    }
    return STATUS_OK;
}

struct statistics_interval statistics_median(const uint64_t *sorted, uint32_t count)
{
    assert(count);
    uint32_t outside = 0;
    double tail = coin_probability(count, 0);
    while (2 * (outside + 1) < count && 2 * tail <= 1 - confidence) {
        tail += coin_probability(count, outside + 1);
        if (2 * tail > 1 - confidence)
            break;
        outside++;
    }
    double median = ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]) / 2;
    return (struct statistics_interval){median, (double)sorted[outside],
                                        (double)sorted[count - 1 - outside]};
}
