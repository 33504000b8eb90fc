#ifndef MEMPLAN_CORE_COMPARE_H
#define MEMPLAN_CORE_COMPARE_H

#include <stdint.h>

/* Comparisons for sorting: below 0, 0 or above 0. With the arguments exchanged the greatest comes
   first. A comparator by several keys asks for the next one where those before are equal:

       int order = compare_reals(a->mean, b->mean);
       return order ? order : compare_numbers(a->place, b->place); */

static inline int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static inline int compare_reals(double a, double b)
{
    return (a > b) - (a < b);
}

/* For qsort of arrays of numbers and of doubles. */
static inline int compare_number_items(const void *left, const void *right)
{
    return compare_numbers(*(const uint64_t *)left, *(const uint64_t *)right);
}

static inline int compare_real_items(const void *left, const void *right)
{
    return compare_reals(*(const double *)left, *(const double *)right);
}

#endif
