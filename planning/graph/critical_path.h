#ifndef MEMPLAN_PLANNING_GRAPH_CRITICAL_PATH_H
#define MEMPLAN_PLANNING_GRAPH_CRITICAL_PATH_H

#include "planning/graph/graph.h"

/* How long a graph takes whose operators run side by side on several streams, each as soon as all
   that it waits for has ended. An operator takes its compute_ns where any operator of the graph has
   one, else its flops where any operator has some, else 1; where the operator's own number is not
   known it takes 0. Entering and leaving regions takes no time, and a loop has one turn. */
struct critical_path {
    uint64_t longest; /* on the slowest way through the branches */
    uint64_t work;    /* the sum over all operators, on the way on which it is greatest */
};

/* The graph has passed happens_before_check. Looks at all ways where there are at most 256, else at
   samples. O(ways * steps * streams * log steps). */
enum status critical_path_find(const struct graph *graph, struct critical_path *path,
                               struct error *error);

#endif
