#ifndef MEMPLAN_CORE_RANDOM_H
#define MEMPLAN_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* xoshiro256** seeded through splitmix64 (Blackman and Vigna, "Scrambled linear pseudorandom
   number generators", 2021): the same numbers on every machine for a seed. */
struct random_state {
    uint64_t word[4];
};

struct random_state random_seed(uint64_t seed);
uint64_t random_next(struct random_state *state);

/* Uniform in [0, bound) without bias; bound is at least 1. */
uint64_t random_below(struct random_state *state, uint64_t bound);

/* Normal with mean 0 and deviation 1, from one random_next: the inverse of the distribution by
   Acklam's rational approximation (2003), right to nine digits. */
double random_normal(struct random_state *state);
/* The numbers that so many calls give, several times as fast. */
void random_normals(struct random_state *state, double *value, size_t count);
/* The largest size among them, from their extreme probabilities alone: right to nine digits. 0 of
   none. */
double random_normals_greatest(struct random_state *state, uint64_t count);

#endif
