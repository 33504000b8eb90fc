#ifndef MEMPLAN_CORE_CHECKED_H
#define MEMPLAN_CORE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* The least multiple of alignment (at least 1) that is not below value, or modulo 2^64 where that
   is 2^64 or more. */
static inline uint64_t align_up(uint64_t value, uint64_t alignment)
{
    uint64_t remainder = alignment == 1 ? 0 : value % alignment;
    return remainder ? value + (alignment - remainder) : value;
}

/* Arithmetic on bytes that says whether it overflowed: true when *result holds the exact value. */

static inline bool checked_add(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline bool checked_multiply(uint64_t a, uint64_t b, uint64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

/* The least multiple of alignment (at least 1) that is not below value. */
static inline bool checked_align(uint64_t value, uint64_t alignment, uint64_t *result)
{
    *result = align_up(value, alignment);
    return *result >= value;
}

/* value * numerator / denominator (at least 1), rounded up. */
static inline bool checked_scale_up(uint64_t value, uint64_t numerator, uint64_t denominator,
                                    uint64_t *result)
{
    __extension__ typedef unsigned __int128 wide;
    wide scaled = ((wide)value * numerator + (denominator - 1)) / denominator;
    *result = (uint64_t)scaled;
    return scaled == *result;
}

/* The divisor of 0 and a number is that number. */
static inline uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The least common multiple of two numbers that are at least 1; true where it fits. */
static inline bool checked_common_multiple(uint64_t a, uint64_t b, uint64_t *multiple)
{
    return checked_multiply(a, b / greatest_common_divisor(a, b), multiple);
}

#endif
