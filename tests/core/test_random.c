#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/random.h"
#include "support/testing.h"

/* What the reference codes of splitmix64, from 0 on, and of xoshiro256**, from the state 1, 2, 3, 4
   on, give; and what every seeded result in a database or golden file rests on. */
static void test_fixed_values(void)
{
    static const uint64_t words[4] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                      0xf88bb8a8724c81ec};
    static const uint64_t from_state[] = {
        11520, 0, 1509978240, 1215971899390074240u, 1216172134540287360u, 607988272756665600u};
    static const uint64_t of_seed[] = {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1,
                                       0xecb8ad4703b360a1, 0xfde6dc7fe2ec5e64, 0xc50da53101795238};
    static const uint64_t bounded[] = {42, 2, 9, 93, 76, 84, 54, 7, 58, 85, 49, 93};
    struct random_state zero = random_seed(0), state = {{1, 2, 3, 4}}, seed = random_seed(42);
    struct random_state below = seed, other = random_seed(43);
    CU_ASSERT_EQUAL(memcmp(zero.word, words, sizeof words), 0);
    for (int i = 0; i < 6; i++)
        CU_ASSERT(random_next(&state) == from_state[i] && random_next(&seed) == of_seed[i]);
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++)
        CU_ASSERT_EQUAL(random_below(&below, 100), bounded[i]);
    CU_ASSERT_NOT_EQUAL(random_next(&other), of_seed[0]);
}

static void test_range(void)
{
    static const uint64_t bounds[] = {
        1, 2, 3, 7, 100, UINT64_C(1) << 32, (UINT64_C(1) << 63) + 1, UINT64_MAX};
    struct random_state state = random_seed(3);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (int i = 0; i < 1000; i++)
            CU_ASSERT_TRUE(random_below(&state, bounds[b]) < bounds[b]);
}

/* Chi-squared with 9 degrees of freedom is below 33.7 in all but one of ten thousand cases; the
   seeds are fixed, so this either always holds or never. */
static void test_roughly_uniform(void)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct random_state state = random_seed(seed);
        unsigned count[10] = {0};
        double chi_squared = 0;
        for (int i = 0; i < 10000; i++)
            count[random_below(&state, 10)]++;
        for (int i = 0; i < 10; i++) {
            double off = (double)count[i] - 1000;
            chi_squared += off * off / 1000;
        }
        CU_ASSERT_TRUE(chi_squared < 33.7);
    }
}

/* Which of the six orders of three items come, and how often. */
static void test_shuffle(void)
{
    enum { TRIES = 6000 };
    struct random_state state = random_seed(5), same = state;
    unsigned count[3 * 3 * 3] = {0};
    double chi_squared = 0;
    uint32_t one = 7;
    random_shuffle(&state, NULL, 0);
    random_shuffle(&state, &one, 1);
    CU_ASSERT(one == 7 && memcmp(&state, &same, sizeof state) == 0);
    for (int i = 0; i < TRIES; i++) {
        uint32_t item[] = {0, 1, 2};
        random_shuffle(&state, item, 3);
        CU_ASSERT_FATAL(item[0] < 3 && item[1] < 3 && item[2] < 3);
        count[item[0] * 9 + item[1] * 3 + item[2]]++;
    }
    for (unsigned order = 0; order < 27; order++) {
        bool mixed =
            order / 9 != order / 3 % 3 && order / 3 % 3 != order % 3 && order / 9 != order % 3;
        double off = (double)count[order] - (mixed ? TRIES / 6.0 : 0);
        CU_ASSERT(mixed || !count[order]);
        chi_squared += mixed ? off * off / (TRIES / 6.0) : 0;
    }
    CU_ASSERT(chi_squared < 25.7);
}

/* A plain remainder would give the lower third twice as often as the others. */
static void test_no_bias_at_large_bounds(void)
{
    const uint64_t third = UINT64_MAX / 4;
    struct random_state state = random_seed(5);
    unsigned low = 0;
    for (int i = 0; i < 30000; i++)
        low += random_below(&state, 3 * third) < third;
    CU_ASSERT_TRUE(low > 9500 && low < 10500);
}

static double draw_normal(struct random_state *state)
{
    double value;
    random_normals(state, &value, 1);
    return value;
}

/* Moments of 200 000 numbers lie within five standard errors of those of the distribution, and as
   many as there should be beyond one, two and three deviations. */
static void test_normal(void)
{
    enum { NUMBERS = 200000 };
    struct random_state state = random_seed(11);
    static const double expected[] = {0.317311, 0.045500, 0.002700};
    double sum = 0, squares = 0, beyond[3] = {0};
    for (int i = 0; i < NUMBERS; i++) {
        double x = draw_normal(&state);
        sum += x;
        squares += x * x;
        for (int k = 0; k < 3; k++)
            beyond[k] += fabs(x) > k + 1;
    }
    CU_ASSERT_TRUE(fabs(sum / NUMBERS) < 5 / sqrt(NUMBERS));
    CU_ASSERT_TRUE(fabs(squares / NUMBERS - 1) < 5 * sqrt(2.0 / NUMBERS));
    for (int k = 0; k < 3; k++)
        CU_ASSERT_TRUE(fabs(beyond[k] / NUMBERS - expected[k]) < 5 * sqrt(expected[k] / NUMBERS));
}

/* Quantiles from tables: the state is set so that the next number has a given probability. */
static void test_normal_quantiles(void)
{
    static const double probabilities[] = {0.001, 0.01, 0.025, 0.25, 0.5, 0.75, 0.975, 0.99, 0.999};
    static const double quantiles[] = {-3.090232306, -2.326347874, -1.959963985, -0.674489750, 0,
                                       0.674489750,  1.959963985,  2.326347874,  3.090232306};
    /* random_next multiplies by 5, rotates left by 7 and multiplies by 9. */
    const uint64_t fifth = 0xcccccccccccccccdu, ninth = 0x8e38e38e38e38e39u;
    for (int i = 0; i < 9; i++) {
        uint64_t wanted = (uint64_t)(probabilities[i] * 0x1p64) * ninth;
        struct random_state state = {{1, ((wanted >> 7) | (wanted << 57)) * fifth, 3, 4}};
        CU_ASSERT_DOUBLE_EQUAL(draw_normal(&state), quantiles[i], 1e-8);
    }
}

/* Many at once are one after another, whatever the number, and the largest is known before. */
static void test_many_normals(void)
{
    double many[2000];
    for (size_t count = 0; count <= 2000; count += 1 + count / 3) {
        struct random_state one = random_seed(count), all = one, extremes = one;
        double greatest = 0;
        random_normals(&all, many, count);
        for (size_t i = 0; i < count; i++) {
            double x = draw_normal(&one);
            CU_ASSERT_EQUAL(many[i], x);
            greatest = fmax(greatest, fabs(x));
        }
        CU_ASSERT_EQUAL(random_normals_greatest(&extremes, count), greatest);
        CU_ASSERT_EQUAL(random_next(&all), random_next(&one));
    }
}

static const struct test_case cases[] = {
    {"many normal numbers at once", test_many_normals},
    {"normal numbers have the moments and tails", test_normal},
    {"normal quantiles as in tables", test_normal_quantiles},
    {"first values of a seed", test_fixed_values},
    {"below is below", test_range},
    {"below is roughly uniform", test_roughly_uniform},
    {"any order is as likely", test_shuffle},

    {"large bounds have no bias", test_no_bias_at_large_bounds},
};

TESTING_MAIN("core/random", cases)
