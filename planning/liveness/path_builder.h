#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H

#include "planning/liveness/path_lifetimes.h"
#include "planning/liveness/path_uses.h"
#include "planning/liveness/result_places.h"

/* What the files that make a path_liveness share. First path_results.c finds the needs of each
   tensor, then path_intervals.c makes the intervals of one tensor after another, from its uses and
   its needs. */

/* Steps [lower, upper) at which a tensor is needed, under a condition, because it becomes the
   result of an operator with regions. */
struct path_need {
    uint32_t lower, upper, condition;
    uint32_t next; /* the next need of the same tensor, or GRAPH_NONE */
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
