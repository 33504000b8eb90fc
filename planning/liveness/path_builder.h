#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H

#include "planning/liveness/path_lifetimes.h"
#include "planning/liveness/path_uses.h"
#include "planning/liveness/result_places.h"

/* What the files that make a path_liveness share. What operators that are left later need of a
   tensor is known first, path_results.c; then come the intervals of one tensor after another,
   planning/liveness/path_intervals.c. */

/* What is needed of a tensor for the result of an operator. */
struct path_need {
    uint32_t lower, upper, condition;
    uint32_t next; /* of the same tensor, or GRAPH_NONE */
};

struct path_builder {
    const struct graph *graph;
    const struct liveness *liveness;
    const struct result_places *places; /* or NULL */
    struct path_liveness *paths;
    struct path_uses uses;
    size_t interval_capacity, condition_capacity, need_capacity, clash_capacity;
    struct path_need *need;
    uint32_t needs, most_needs;
    uint32_t *first_need; /* [tensors] or GRAPH_NONE */
    struct error *error;
};

#endif
