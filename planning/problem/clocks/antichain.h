#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_ANTICHAIN_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_ANTICHAIN_H

#include "planning/problem/clocks/precedence.h"

/* Buffers that all conflict with each other. */
struct antichain {
    uint64_t bytes;   /* the sum of their sizes: no plan has a lower peak */
    uint32_t count;   /* how many buffers there are */
    uint32_t *member; /* [count] ascending */
};

/* Finds the antichain with the most bytes, where buffer b has size[b] bytes, which may be 0; the
   sum of all sizes is below 2^64. The caller clears it. Every two members are checked to conflict:
   STATUS_INTERNAL if they do not. By Dilworth's theorem with weights, the bytes of the antichain
   are the least number of chains that together pass each buffer once for each of its bytes. Such
   chains are a flow from each buffer to those that begin after its end. The maximum flow is found
   by blocking flows in layers (Dinic 1970) after a greedy start, and needs no list of pairs: the
   buffers that begin after the end of another one are the last parts of a few chains of
   precedence.h, in which a search reaches each buffer once. O(buffers * chains + pieces of the
   flow) for each layering. */
enum status antichain_find(const struct precedence *precedence, const uint64_t *size,
                           struct antichain *antichain, struct error *error);
void antichain_clear(struct antichain *antichain); /* all zeroes is fine */

#endif
