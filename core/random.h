#ifndef MEMPLAN_CORE_RANDOM_H
#define MEMPLAN_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* xoshiro256** seeded through splitmix64 (Blackman and Vigna, "Scrambled linear pseudorandom
   number generators", 2021): the same numbers on every machine for a seed. */
struct random_state {
    uint64_t word[4];
};

/* The state that a seed begins with, and the next 64 random bits of a state. O(1). */
struct random_state random_seed(uint64_t seed);
uint64_t random_next(struct random_state *state);

/* Uniform in [0, 1), a multiple of 2^-53, from one random_next. */
static inline double random_unit(struct random_state *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* The splitmix64 hash of a number: the same number always gives the same bits,
   which look random. */
uint64_t random_mix(uint64_t number);

/* Uniform in [0, bound) without bias; bound is at least 1. */
uint64_t random_below(struct random_state *state, uint64_t bound);

/* Puts the items into a random order, each order as likely as any other (Fisher and Yates).
   O(count). */
void random_shuffle(struct random_state *state, uint32_t *item, uint32_t count);

/* Numbers of a normal distribution with mean 0 and deviation 1 into value[count], each from one
   random_next: the inverse of the distribution by Acklam's rational approximation (2003), right to
   nine digits. */
void random_normals(struct random_state *state, double *value, size_t count);

/* The largest absolute value among the numbers that random_normals would give, right to nine
   digits; it is found from the extreme probabilities alone. 0 where count is 0. */
double random_normals_greatest(struct random_state *state, uint64_t count);

#endif
