#ifndef MEMPLAN_PLANNING_GRAPH_COPY_H
#define MEMPLAN_PLANNING_GRAPH_COPY_H

#include <stddef.h>

#include "planning/graph/graph.h"

/* An operator starts only when another one of its region, `earlier`, has ended. */
struct graph_wait {
    uint32_t op, earlier;
};

/* Copies a graph operator by operator. The caller says in which order, may put other operators
   between them, and may change what they wait for and whether they have weights. Tensors keep their
   numbers. */
struct graph_copier {
    const struct graph *graph;
    struct graph *copy;
    uint32_t *number; /* [operators] number in the copy; GRAPH_NONE: not copied yet */

    /* Copies all operators that a region of the graph holds directly. */
    enum status (*copy_operators)(struct graph_copier *copier, uint32_t region);
    const void *context;
    const struct graph_wait *wait; /* [waits] waits that the copy has in addition to the graph's, in
                                      rising order of the operators */
    size_t waits;
    const uint32_t *loaded; /* [operators] a tensor of the copy that the operator reads in place of
                               its weights, GRAPH_NONE where it keeps them; NULL: all keep them */
    struct error *error;
};

/* Makes *copy, which the caller frees. The caller has set the copier's graph, copy_operators,
   context and error and, where there are any, wait, waits and loaded. STATUS_BAD_INPUT where an
   operator stands before what it needs. O(size of the graph). */
enum status graph_copy(struct graph_copier *copier, struct graph **copy);

/* For copy_operators: copies an operator with its regions to the end of the region that is open in
   the copy. */
enum status graph_copy_operator(struct graph_copier *copier, uint32_t op);

#endif
