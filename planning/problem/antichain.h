#ifndef MEMPLAN_PLANNING_PROBLEM_ANTICHAIN_H
#define MEMPLAN_PLANNING_PROBLEM_ANTICHAIN_H

#include "planning/problem/precedence.h"

/* Buffers that all conflict with each other. */
struct antichain {
    uint64_t bytes;   /* the sum of their sizes: no plan has a lower peak */
    uint32_t count;   /* how many they are */
    uint32_t *member; /* [count] ascending */
};

/* The heaviest of all, where buffer b weighs size[b] bytes, maybe 0; their sum is below 2^64. The
   caller clears it. Every two members were looked at, else STATUS_INTERNAL.

   Orders are perfect: its bytes are what chains need that pass each buffer as often as it has bytes
   (Dilworth, weighted). Chains are a flow from each buffer to those behind it, a maximum flow by
   blocking flows in layers (Dinic 1970), which begins with a greedy one and needs no list of pairs:
   what is behind a buffer are the ends of a few chains, in which a search comes by each buffer
   once. O(buffers * chains + pieces of the flow) for each layering. */
enum status antichain_find(const struct precedence *precedence, const uint64_t *size,
                           struct antichain *antichain, struct error *error);
void antichain_clear(struct antichain *antichain); /* all zeroes is fine */

#endif
