#include "quantise/fixed_point.h"

#include <assert.h>
#include <math.h>

/* The largest q that fits into the bits. */
static double get_most(uint32_t bits)
{
    assert(bits >= 2 && bits <= 32);
    return (double)((UINT64_C(1) << (bits - 1)) - 1);
}

/* max|r| is split into mantissa and exponent before it is divided, so that a subnormal number loses
   no digits. Where the mantissa of the quotient is exactly a half, the quotient is a power of two,
   and that power with scale 1 is taken. */
struct fixed_point fixed_point_find(double greatest, uint32_t bits)
{
    struct fixed_point format = {.position = 0, .scale = 1, .bits = bits};
    int exponent, rest;
    assert(isfinite(greatest) && greatest >= 0);
    if (greatest == 0)
        return format;
    double mantissa = frexp(frexp(greatest, &exponent) / get_most(bits), &rest);
    bool is_power = mantissa <= 0.5;
    format.position = exponent + rest - is_power;
    format.scale = is_power ? 1 : mantissa;
    return format;
}

/* A number is divided by 2^position in two steps, one after the other, since 2^-position may be
   beyond the range of a double. */
struct factors {
    double power[2];
    double scale;
};

static struct factors find_factors(const struct fixed_point *format)
{
    int half = format->position / 2;
    return (struct factors){{ldexp(1, -half), ldexp(1, half - format->position)}, format->scale};
}

/* A number divided by the step, not rounded. */
static double count_steps(const struct factors *factors, double r)
{
    return r * factors->power[0] * factors->power[1] / factors->scale;
}

/* Rounds to the nearest whole number, ties to even, by adding a constant so large that a double of
   that size has no digits behind the point. This is far faster than rint on machines without an
   instruction for it. */
static double round_steps(double steps)
{
    static const double large = 0x1.8p52;
    return (steps + large) - large;
}

void fixed_point_quantise_all(const struct fixed_point *format, const double *r, uint64_t count,
                              int32_t *q)
{
    struct factors factors = find_factors(format);
    for (uint64_t i = 0; i < count; i++)
        q[i] = (int32_t)round_steps(count_steps(&factors, r[i]));
}

double fixed_point_restore(const struct fixed_point *format, int32_t q)
{
    return ldexp(q * format->scale, format->position);
}

double fixed_point_step(const struct fixed_point *format)
{
    return ldexp(format->scale, format->position);
}

void fixed_point_measure(const struct fixed_point *format, const double *r, uint64_t count,
                         struct fixed_point_loss *loss)
{
    struct factors factors = find_factors(format);
    double signal = 0, noise = 0;
    for (uint64_t i = 0; i < count; i++) {
        double steps = count_steps(&factors, r[i]);
        double lost = steps - round_steps(steps);
        signal += steps * steps;
        noise += lost * lost;
    }
    loss->signal += signal;
    loss->noise += noise;
}
