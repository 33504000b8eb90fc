#ifndef MEMPLAN_QUANTISE_FIXED_POINT_H
#define MEMPLAN_QUANTISE_FIXED_POINT_H

#include <stdbool.h>
#include <stdint.h>

/* Whole numbers of few bits that share an exponent and a factor (Xu 2019, section 4.6):
       r ~ q * 2^position * scale     q in -most .. most     most = 2^(bits - 1) - 1
   position = ceil(log2(max|r| / most)) is the least exponent with which `most` steps reach max|r|,
   and scale = max|r| / (most * 2^position), in (1/2, 1], takes up the rest, so that the largest |r|
   becomes most. Bits are 2 to 32. */
struct fixed_point {
    int position;
    double scale;
    uint32_t bits;
};

/* What a group of numbers loses by rounding, as sums of squares divided by the square of a step,
   which is 2^position * scale. */
struct fixed_point_loss {
    double signal; /* sum of r^2 */
    double noise;  /* sum of (r - its rounded value)^2 */
};

/* The format for numbers whose largest absolute value, max|r|, is `greatest`, which is finite and
   at least 0. For 0 the format has position 0 and scale 1, which the source also has for numbers
   that were not quantised. Exact at powers of two and for subnormal numbers. */
struct fixed_point fixed_point_find(double greatest, uint32_t bits);

/* Finds for each of the numbers r[count], which are at most the largest absolute value, the q whose
   value is nearest; ties go to the even q. */
void fixed_point_quantise_all(const struct fixed_point *format, const double *r, uint64_t count,
                              int32_t *q);
double fixed_point_restore(const struct fixed_point *format, int32_t q);
/* The difference between two neighbouring q: 2^position * scale, 0 where that is below the least
   double. */
double fixed_point_step(const struct fixed_point *format);

/* Adds to *loss what the numbers r[count] lose. O(count). */
void fixed_point_measure(const struct fixed_point *format, const double *r, uint64_t count,
                         struct fixed_point_loss *loss);

#endif
