#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_ANTICHAIN_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_ANTICHAIN_H

#include "planning/problem/clocks/precedence.h"

/* Buffers that all conflict with each other. */
struct antichain {
    uint64_t bytes;   /* the sum of their sizes: no plan has a lower peak */
    uint32_t count;   /* how many they are */
    uint32_t *member; /* [count] ascending */
};

/* Finds the heaviest antichain, where buffer b weighs size[b] bytes, maybe 0; the sum of all sizes
   is below 2^64. The caller clears it. Fails with STATUS_INTERNAL if two members do not conflict,
   which is checked for every pair. By Dilworth's theorem with weights, its bytes are how many
   chains it takes to pass each buffer as often as it has bytes. Such chains are a flow from each
   buffer to those that begin after it is over. The maximum flow is found by blocking flows in
   layers (Dinic 1970) after a greedy start, and without a list of pairs: what begins after a buffer
   is over are the ends of a few chains of precedence.h, in which a search reaches each buffer
   once. O(buffers * chains + pieces of the flow) for each layering. */
enum status antichain_find(const struct precedence *precedence, const uint64_t *size,
                           struct antichain *antichain, struct error *error);
void antichain_clear(struct antichain *antichain); /* all zeroes is fine */

#endif
