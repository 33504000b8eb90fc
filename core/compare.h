#ifndef MEMPLAN_CORE_COMPARE_H
#define MEMPLAN_CORE_COMPARE_H

#include <stdint.h>

/* Comparisons for sorting: below 0, 0 or above 0. With the arguments exchanged the greatest comes
   first. */

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
   numbers, in the order given; the least comes first:
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

/* Defines a comparator for qsort of items of a type by up to six comparisons of an item a with an
   item b, each of which is made only where those before it found the two equal:

       COMPARE_BY(compare_ranked, struct ranked, compare_reals(a->mean, b->mean),
                  strcmp(a->name, b->name)) */
#define COMPARE_BY(function, type, ...)                                                            \
    static int function(const void *left, const void *right)                                       \
    {                                                                                              \
        const type *a = left, *b = right;                                                          \
        int order = 0;                                                                             \
        (void)(COMPARE_STEPS(__VA_ARGS__, COMPARE_STEP_6, COMPARE_STEP_5, COMPARE_STEP_4,          \
                             COMPARE_STEP_3, COMPARE_STEP_2, COMPARE_STEP_1, )(__VA_ARGS__));      \
        return order;                                                                              \
    }
#define COMPARE_STEPS(first, second, third, fourth, fifth, sixth, chosen, ...) chosen
#define COMPARE_STEP_1(step) (order = (step))
#define COMPARE_STEP_2(step, ...) COMPARE_STEP_1(step) || COMPARE_STEP_1(__VA_ARGS__)
#define COMPARE_STEP_3(step, ...) COMPARE_STEP_1(step) || COMPARE_STEP_2(__VA_ARGS__)
#define COMPARE_STEP_4(step, ...) COMPARE_STEP_1(step) || COMPARE_STEP_3(__VA_ARGS__)
#define COMPARE_STEP_5(step, ...) COMPARE_STEP_1(step) || COMPARE_STEP_4(__VA_ARGS__)
#define COMPARE_STEP_6(step, ...) COMPARE_STEP_1(step) || COMPARE_STEP_5(__VA_ARGS__)

#endif
