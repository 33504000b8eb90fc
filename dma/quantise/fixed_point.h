#ifndef MEMPLAN_DMA_QUANTISE_FIXED_POINT_H
#define MEMPLAN_DMA_QUANTISE_FIXED_POINT_H

#include <stdbool.h>
#include <stdint.h>

/* Whole numbers of few bits that share an exponent and a factor (Xu 2019, section 4.6):

       r ~ q * 2^position * scale     q in -most .. most     most = 2^(bits - 1) - 1

   position = ceil(log2(max|r| / most)) is the least with which most reaches max|r|, and scale =
   max|r| / (most * 2^position), in (1/2, 1], takes up the rest, so that the largest |r| becomes
   most. Bits are 2 to 32. */
struct fixed_point {
    int position;
    double scale;
    uint32_t bits;
};

/* What a group of numbers lost, as sums of squares in units of the squared step; a step is
   2^position * scale. */
struct fixed_point_loss {
    double signal; /* sum of r^2 */
    double noise;  /* sum of (r - its rounded value)^2 */
};

/* The format for numbers of which the largest size, max|r|, is `greatest`, finite and at least 0.
   For 0 it is position 0 and scale 1, which the source also has for what was not quantised. Exact
   at powers of two and for subnormal numbers. */
struct fixed_point fixed_point_find(double greatest, uint32_t bits);

/* The nearest q to a number of at most the largest size; ties go to the even one. */
int32_t fixed_point_quantise(const struct fixed_point *format, double r);
/* The same of r[count] into q[count], faster. */
void fixed_point_quantise_all(const struct fixed_point *format, const double *r, uint64_t count,
                              int32_t *q);
double fixed_point_restore(const struct fixed_point *format, int32_t q);
/* The difference between two neighbouring q: 2^position * scale, 0 where that is below the least
   double. */
double fixed_point_step(const struct fixed_point *format);

/* Adds what the numbers r[count] lose. O(count). */
void fixed_point_measure(const struct fixed_point *format, const double *r, uint64_t count,
                         struct fixed_point_loss *loss);

#endif
