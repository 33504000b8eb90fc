#include "core/random.h"

#include <math.h>
#include <string.h>

static uint64_t mix_seed(uint64_t *seed)
{
    uint64_t mixed = *seed += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

uint64_t random_mix(uint64_t number)
{
    return mix_seed(&number);
}

struct random_state random_seed(uint64_t seed)
{
    struct random_state state;
    for (int i = 0; i < 4; i++)
        state.word[i] = mix_seed(&seed);
    return state;
}

uint64_t random_next(struct random_state *state)
{
    uint64_t *word = state->word;
    uint64_t result = rotate_left(word[1] * 5, 7) * 9;
    uint64_t shifted = word[1] << 17;
    word[2] ^= word[0];
    word[3] ^= word[1];
    word[1] ^= word[2];
    word[0] ^= word[3];
    word[2] ^= shifted;
    word[3] = rotate_left(word[3], 45);
    return result;
}

uint64_t random_below(struct random_state *state, uint64_t bound)
{
    uint64_t rejected = -bound % bound;
    uint64_t value;
    do
        value = random_next(state);
    while (value < rejected);
    return value % bound;
}

void random_shuffle(struct random_state *state, uint32_t *item, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)random_below(state, i), moved = item[i - 1];
        item[i - 1] = item[other];
        item[other] = moved;
    }
}

static inline double evaluate(const double *coefficient, size_t count, double x)
{
    double sum = coefficient[0];
    for (size_t i = 1; i < count; i++)
        sum = sum * x + coefficient[i];
    return sum;
}

#define EVALUATE(coefficients, x)                                                                  \
    evaluate(coefficients, sizeof(coefficients) / sizeof *(coefficients), x)

/* The number that a normally distributed one is below with this probability, which is less than
   `tail`: a negative number. */
static double find_tail(double probability)
{
    static const double above[] = {-7.784894002430293e-03, -3.223964580411365e-01,
                                   -2.400758277161838e+00, -2.549732539343734e+00,
                                   4.374664141464968e+00,  2.938163982698783e+00};
    static const double below[] = {7.784695709041462e-03, 3.224671290700398e-01,
                                   2.445134137142996e+00, 3.754408661907416e+00, 1};
    double x = sqrt(-2 * log(probability));
    return EVALUATE(above, x) / EVALUATE(below, x);
}

/* The same value for the probability 1/2 + offset, which is in neither tail. */
static double find_middle(double offset)
{
    static const double above[] = {-3.969683028665376e+01, 2.209460984245205e+02,
                                   -2.759285104469687e+02, 1.383577518672690e+02,
                                   -3.066479806614716e+01, 2.506628277459239e+00};
    static const double below[] = {-5.447609879822406e+01, 1.615858368580409e+02,
                                   -1.556989798598866e+02, 6.680131188771972e+01,
                                   -1.328068155288572e+01, 1};
    double square = offset * offset;
    return offset * EVALUATE(above, square) / EVALUATE(below, square);
}

static const double tail = 0.02425;

static double find_normal(double probability)
{
    if (probability < tail)
        return find_tail(probability);
    if (probability > 1 - tail)
        return -find_tail(1 - probability);
    return find_middle(probability - 0.5);
}

/* (k + 1/2) / 2^52 for the number k of the highest 52 bits, which are the fraction of 1 + k / 2^52:
   compilers turn loops of this into vector code, but not those of a conversion. */
static double get_probability(uint64_t word)
{
    uint64_t bits = word >> 12 | UINT64_C(0x3ff0000000000000);
    double above_one;
    memcpy(&above_one, &bits, sizeof above_one);
    return above_one - 1 + 0x1p-53;
}

void random_normals(struct random_state *state, double *value, size_t count)
{
    enum { BLOCK = 512 };
    uint64_t word[BLOCK];
    double probability[BLOCK];
    for (size_t now; count; count -= now, value += now) {
        now = count < BLOCK ? count : BLOCK;
        for (size_t i = 0; i < now; i++)
            word[i] = random_next(state);
        /* All numbers are computed as if their probabilities were in the middle, and then those in
           the tails again: loops without branches become vector code. */
        for (size_t i = 0; i < now; i++)
            probability[i] = get_probability(word[i]);
        for (size_t i = 0; i < now; i++)
            value[i] = find_middle(probability[i] - 0.5);
        for (size_t i = 0; i < now; i++)
            if (probability[i] < tail || probability[i] > 1 - tail)
                value[i] = find_normal(probability[i]);
    }
}

double random_normals_greatest(struct random_state *state, uint64_t count)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = random_next(state);
        least = word < least ? word : least;
        most = word > most ? word : most;
    }
    if (!count)
        return 0;
    return fmax(fabs(find_normal(get_probability(least))),
                fabs(find_normal(get_probability(most))));
}
