#include "quantise/fixed_point.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "support/testing.h"

static int32_t quantise(const struct fixed_point *format, double r)
{
    int32_t q;
    fixed_point_quantise_all(format, &r, 1, &q);
    return q;
}

static void expect(double greatest, uint32_t bits, int position, double scale)
{
    struct fixed_point format = fixed_point_find(greatest, bits);
    CU_ASSERT_EQUAL(format.position, position);
    CU_ASSERT_DOUBLE_EQUAL(format.scale, scale, 1e-15);
}

/* 127 is 127 * 2^0; 1 / 127 lies between 2^-7 and 2^-6; 7 / 7 is 1. */
static void test_by_hand(void)
{
    expect(127, 8, 0, 1);
    expect(254, 8, 1, 1);
    expect(63.5, 8, -1, 1);
    expect(128, 8, 1, 128.0 / 254);
    expect(1, 8, -6, 64.0 / 127);
    expect(100, 8, 0, 100.0 / 127);
    expect(7, 4, 0, 1);
    expect(1, 4, -2, 4.0 / 7);
    expect(1, 2, 0, 1);
    expect(3.5, 4, -1, 1);
}

static void test_zero(void)
{
    struct fixed_point format = fixed_point_find(0, 8);
    expect(0, 8, 0, 1);
    CU_ASSERT_EQUAL(quantise(&format, 0), 0);
    CU_ASSERT_EQUAL(fixed_point_restore(&format, 0), 0);
}

/* With a step of 0.5: 0.25 and 0.75 lie in the middle and go to the even one. */
static void test_rounding(void)
{
    struct fixed_point format = fixed_point_find(63.5, 8);
    static const double values[] = {0, 0.2, 0.25, 0.3, 0.75, 1.25, -0.25, -0.75, -63.5, 63.5};
    static const int32_t expected[] = {0, 0, 0, 1, 2, 2, 0, -2, -127, 127};
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(quantise(&format, values[i]), expected[i]);
    CU_ASSERT_EQUAL(fixed_point_step(&format), 0.5);
}

/* Errors by hand, step 1: 0.25, 0, -0.5. */
static void test_loss(void)
{
    struct fixed_point format = fixed_point_find(127, 8);
    struct fixed_point_loss loss = {0};
    static const double values[] = {1.25, 127, 2.5};
    fixed_point_measure(&format, values, 3, &loss);
    CU_ASSERT_DOUBLE_EQUAL(loss.signal, 1.5625 + 16129 + 6.25, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(loss.noise, 0.0625 + 0.25, 1e-12);
    fixed_point_measure(&format, values, 1, &loss);
    CU_ASSERT_DOUBLE_EQUAL(loss.noise, 0.375, 1e-12);
}

/* Positive, of any exponent a double has. */
static double draw_greatest(struct random_state *random)
{
    int exponent = (int)random_below(random, 2098) - 1074;
    double mantissa = 0.5 + (double)random_below(random, 1 << 20) / (1 << 21);
    double drawn = ldexp(mantissa, exponent + 1);
    return drawn > 0 ? drawn : 0x1p-1074;
}

static void check_bounds(double greatest, uint32_t bits)
{
    struct fixed_point format = fixed_point_find(greatest, bits);
    double most = ldexp(1, (int)bits - 1) - 1;
    CU_ASSERT_TRUE(format.scale > 0.5 && format.scale <= 1);
    /* most * 2^position reaches the greatest, and with one position less would not. */
    double parts = ldexp(greatest, -format.position / 2) / most;
    parts = ldexp(parts, -(format.position - format.position / 2));
    CU_ASSERT_TRUE(parts <= 1 && parts > 0.5);
    CU_ASSERT_EQUAL(quantise(&format, greatest), (int32_t)most);
    CU_ASSERT_EQUAL(quantise(&format, -greatest), -(int32_t)most);
}

static void test_scale_and_position(void)
{
    struct random_state random = random_seed(1);
    for (int i = 0; i < 20000; i++)
        check_bounds(draw_greatest(&random), i % 2 ? 8 : 4);
    for (int exponent = -1074; exponent < 1024; exponent++)
        check_bounds(ldexp(1, exponent), 8);
    check_bounds(DBL_MAX, 8);
    check_bounds(DBL_MIN, 4);
    check_bounds(FLT_MIN, 8);
    check_bounds(0x1p-149, 8);
}

/* No value is off by more than half a step, no number leaves the range, and what was restored is
   restored again from the same numbers. */
static void test_half_a_step(void)
{
    struct random_state random = random_seed(2);
    for (int round = 0; round < 200; round++) {
        double values[50], greatest = 0, again = 0,
                           size = ldexp(1, (int)random_below(&random, 80) - 40);
        random_normals(&random, values, 50);
        for (int i = 0; i < 50; i++) {
            values[i] *= size;
            greatest = fmax(greatest, fabs(values[i]));
        }
        struct fixed_point format = fixed_point_find(greatest, round % 2 ? 8 : 4);
        double step = fixed_point_step(&format);
        int32_t number[50];
        for (int i = 0; i < 50; i++) {
            number[i] = quantise(&format, values[i]);
            double restored = fixed_point_restore(&format, number[i]);
            CU_ASSERT_TRUE(abs(number[i]) <= (round % 2 ? 127 : 7));
            CU_ASSERT_TRUE(fabs(values[i] - restored) <= step * (0.5 + 1e-12));
            values[i] = restored;
            again = fmax(again, fabs(restored));
        }
        format = fixed_point_find(again, format.bits);
        for (int i = 0; i < 50; i++)
            CU_ASSERT_EQUAL(quantise(&format, values[i]), number[i]);
    }
}

/* Every value of a whole group scaled by a power of two: the same numbers, another position. */
static void test_power_of_two_moves_position(void)
{
    struct random_state random = random_seed(3);
    for (int i = 0; i < 1000; i++) {
        double greatest = random_normals_greatest(&random, 1) + 0.01;
        double value = greatest * ((double)random_below(&random, 2001) / 1000 - 1);
        struct fixed_point one = fixed_point_find(greatest, 8);
        struct fixed_point other = fixed_point_find(ldexp(greatest, 9), 8);
        CU_ASSERT_EQUAL(other.position, one.position + 9);
        CU_ASSERT_EQUAL(other.scale, one.scale);
        CU_ASSERT_EQUAL(quantise(&other, ldexp(value, 9)), quantise(&one, value));
    }
}

static const struct test_case cases[] = {
    {"positions and scales by hand", test_by_hand},
    {"nothing but zeros", test_zero},
    {"rounding to the nearest, ties to even", test_rounding},
    {"loss by hand", test_loss},
    {"scale in (1/2, 1] and the least position", test_scale_and_position},
    {"half a step at most, and idempotent", test_half_a_step},
    {"a power of two only moves the position", test_power_of_two_moves_position},
};

TESTING_MAIN("dma/fixed_point", cases)
