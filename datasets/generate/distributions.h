#ifndef MEMPLAN_DATASETS_GENERATE_DISTRIBUTIONS_H
#define MEMPLAN_DATASETS_GENERATE_DISTRIBUTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/random.h"

/* Distributions that use only integers. The logarithms of different C libraries differ in the last
   bit, which would make different instances. */

/* A geometric distribution: the number of tosses until a coin with P(stop) = denominator /
   numerator shows stop. Its mean is numerator / denominator. The binary digits of a geometric
   number are independent of each other, digit k being 1 with probability r / (1 + r), r = P(go
   on)^(2^k). */
struct generate_geometric {
    uint32_t digit[32]; /* [digits] probability of a 1 in units of 2^-32 */
    uint32_t digits;
};

/* 1 <= mean; numerator below 2^32. */
struct generate_geometric generate_geometric_start(uint64_t numerator, uint64_t denominator);
uint32_t generate_geometric_draw(const struct generate_geometric *geometric,
                                 struct random_state *random); /* at least 1 */

/* The logarithm is uniform: as many between 100 and 200 as between 1000 and 2000.
   1 <= smallest <= largest < 2^48. */
uint64_t generate_log_uniform(uint64_t smallest, uint64_t largest, struct random_state *random);

/* The size of a buffer in kinds with several streams, as in OmniMalloc: uniform from 1 KiB to 1
   MiB. */
uint64_t generate_stream_size(struct random_state *random);

/* Returns true with a probability of `percent` in 100. */
bool generate_happens(uint64_t percent, struct random_state *random);

/* Fails with STATUS_USAGE where the options `smallest` and `largest` do not go together. */
enum status generate_check_sizes(uint64_t smallest, uint64_t largest, struct error *error);

#endif
