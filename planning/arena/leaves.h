#ifndef MEMPLAN_PLANNING_ARENA_LEAVES_H
#define MEMPLAN_PLANNING_ARENA_LEAVES_H

#include <assert.h>

#include "core/scratch.h"
#include "planning/problem/problem.h"

/* The steps, cut into runs called leaves, and the leaves that each segment touches. Leaf i has
   steps [start[i], start[i + 1]). */
struct occupancy_leaves {
    uint32_t count;
    uint32_t *start;       /* [count + 1] */
    uint32_t *first, *end; /* [segments] the segment touches leaves first to end - 1 */
    uint32_t *ends;        /* [count + 1] into arrays of segments that touch a leaf without living
                              through all of it: leaf i has ends[i] .. ends[i + 1] - 1 */
    bool for_ranges; /* a segment that begins or ends at the border of a leaf counts as not living
                        through it */
};

/* for_ranges: see the member; the leaves are longer then, and need less memory. They live as long
   as the scratch. */
enum status occupancy_leaves_create(const struct problem *problem, bool for_ranges,
                                    struct occupancy_leaves *leaves, struct scratch *scratch,
                                    struct error *error);

/* The leaf that has the step, which is at least start[0] and below start[count]. O(log count). */
uint32_t occupancy_leaves_find(const struct occupancy_leaves *leaves, uint32_t step);

/* Whether [lower, upper) has all steps of the leaf. */
static inline bool occupancy_leaves_covered(const struct occupancy_leaves *leaves, uint32_t leaf,
                                            uint32_t lower, uint32_t upper)
{
    assert(leaf < leaves->count && lower < upper);
    return lower <= leaves->start[leaf] && upper >= leaves->start[leaf + 1];
}

/* Whether a buffer's segment lives through the leaf, so that it needs no entry there. */
static inline bool occupancy_leaves_lived_through(const struct occupancy_leaves *leaves,
                                                  uint32_t leaf, uint32_t lower, uint32_t upper)
{
    assert(leaf < leaves->count && lower < upper);
    return lower + (uint64_t)leaves->for_ranges <= leaves->start[leaf] &&
           upper >= leaves->start[leaf + 1] + (uint64_t)leaves->for_ranges;
}

#endif
