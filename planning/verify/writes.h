#ifndef MEMPLAN_PLANNING_VERIFY_WRITES_H
#define MEMPLAN_PLANNING_VERIFY_WRITES_H

#include "planning/verify/needed.h"
#include "planning/verify/verdict.h"

/* What is written, against what is needed at that time. */

/* What the parts of verify_paths have in common. What finds a fault puts it into the verdict, which
   keeps the first one. */

struct verify_walk {
    const struct graph *graph;
    const struct placement *placement;
    struct verify_needs needs;
    uint32_t *step;       /* [operators] at which it is entered */
    uint32_t *leave_step; /* [operators]; the same without regions */
    uint32_t *meant;      /* [tensors] in whose place it is meant to be written, or GRAPH_NONE */
    struct verdict *verdict;
    struct error *error;
};

/* Where the first bytes of a tensor are. */
struct extents_walk verify_begin(const struct verify_walk *walk, uint32_t tensor, uint64_t bytes);
void verify_report(struct verify_walk *walk, uint32_t a, uint32_t b, uint32_t step);

/* Fills walk->meant: what the placement says, and for what a branch yields exactly into its
   result's place what it says of that result. O(graph). */
enum status verify_find_meant(struct verify_walk *walk);
/* The place that the tensor is meant to be written over and lies on, where nothing needs it but
   `reads` readings; GRAPH_NONE where there is none. A place that is only held for an argument is
   not needed. */
uint32_t verify_find_spared(const struct verify_walk *walk, uint32_t tensor, uint32_t reads);
/* Writing a tensor at its own offset must not hit any occupied place but itself and the spared one.
   O(occupied). */
void verify_check_written(struct verify_walk *walk, uint32_t tensor, uint32_t spared,
                          uint32_t step);

#endif
