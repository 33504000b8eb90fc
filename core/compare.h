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

/* For qsort of arrays of numbers, of numbers of 32 bits and of doubles. */
static inline int compare_number_items(const void *left, const void *right)
{
    return compare_numbers(*(const uint64_t *)left, *(const uint64_t *)right);
}

static inline int compare_number_items_32(const void *left, const void *right)
{
    return compare_numbers(*(const uint32_t *)left, *(const uint32_t *)right);
}

static inline int compare_real_items(const void *left, const void *right)
{
    return compare_reals(*(const double *)left, *(const double *)right);
}

/* Defines a comparator for qsort that compares the named members of items of a type, up to four
   numbers, from the first on, and the least comes first:

       COMPARE_MEMBERS(compare_waits, struct graph_wait, op, earlier) */
#define COMPARE_MEMBERS(function, type, ...)                                                       \
    static int function(const void *left, const void *right)                                       \
    {                                                                                              \
        const type *a = left, *b = right;                                                          \
        COMPARE_CHOSEN(__VA_ARGS__, COMPARE_4, COMPARE_3, COMPARE_2, COMPARE_1, )(__VA_ARGS__)     \
    }
#define COMPARE_CHOSEN(first, second, third, fourth, chosen, ...) chosen
#define COMPARE_1(key) return compare_numbers(a->key, b->key);
#define COMPARE_NEXT(key)                                                                          \
    if (a->key != b->key)                                                                          \
        return compare_numbers(a->key, b->key);
#define COMPARE_2(key, ...) COMPARE_NEXT(key) COMPARE_1(__VA_ARGS__)
#define COMPARE_3(key, ...) COMPARE_NEXT(key) COMPARE_2(__VA_ARGS__)
#define COMPARE_4(key, ...) COMPARE_NEXT(key) COMPARE_3(__VA_ARGS__)

#endif
