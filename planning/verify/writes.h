#ifndef MEMPLAN_PLANNING_VERIFY_WRITES_H
#define MEMPLAN_PLANNING_VERIFY_WRITES_H

#include "planning/verify/needed.h"
#include "planning/verify/verdict.h"

/* What is written, against what is needed at that time.

   An output may lie on an input of its operator where the placement says that it overwrites it:

       conv -> x
       relu x -> y     y overwrites x: where y lies on the first bytes of x, writing y may hit x,
       dense y -> z    since after relu nobody needs x

   So there is at most one occupied place that writing a tensor may hit, its overwritable place. */

/* What the parts of verify_paths have in common. What finds a fault puts it into the verdict, which
   keeps the first one. */

struct verify_walk {
    const struct graph *graph;
    const struct placement *placement;
    struct verify_needs needs;
    uint32_t *step;       /* [operators] at which it is entered */
    uint32_t *leave_step; /* [operators]; the same without regions */
    uint32_t *overwrites; /* [tensors] the one in whose place it is to be written, or GRAPH_NONE */
    struct verdict *verdict;
    struct error *error;
};

/* Where the first bytes of a tensor are. */
struct extents_walk verify_begin(const struct verify_walk *walk, uint32_t tensor, uint64_t bytes);
void verify_report(struct verify_walk *walk, uint32_t a, uint32_t b, uint32_t step);

/* Fills walk->overwrites: what the placement says, but nothing for views, which write nothing.
   O(tensors). */
enum status verify_find_overwrites(struct verify_walk *walk);
/* The overwritable place of a tensor: that of what it overwrites, where it lies on it and nothing
   needs it but `reads` readings by its own operator. GRAPH_NONE where there is none. */
uint32_t verify_find_overwritable(const struct verify_walk *walk, uint32_t tensor, uint32_t reads);
/* Writing a tensor at its own offset must hit no occupied place but its own and the overwritable
   one, which may be GRAPH_NONE. O(log tensors) unless split places reach over others. */
void verify_check_written(struct verify_walk *walk, uint32_t tensor, uint32_t overwritable,
                          uint32_t step);

#endif
