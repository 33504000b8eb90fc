#ifndef MEMPLAN_TESTS_RANDOM_CLOCKS_H
#define MEMPLAN_TESTS_RANDOM_CLOCKS_H

#include "core/random.h"
#include "planning/problem/problem.h"

/* Small random problems with clocks, not resolved: of up to three streams, in which a buffer's
   accesses are on one stream or on several, or of components that are drawn one by one, so that
   every order of few buffers occurs. The same for a state of random. */
struct problem *random_clocks_create(uint32_t most_buffers, uint64_t most_size,
                                     struct random_state *random);

/* By the definition: neither of both buffers is over before the other begins. */
bool random_clocks_conflict(const struct problem *problem, uint32_t a, uint32_t b);

#endif
