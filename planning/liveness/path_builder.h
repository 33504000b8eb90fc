#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H

#include "planning/liveness/path_liveness.h"
#include "planning/liveness/path_uses.h"

/* What the files that make a path_liveness share. What operators that are left later need of a
   tensor is known first, path_results.c; then come the pieces of one tensor after another,
   planning/liveness/path_intervals.c. */

/* What is needed of a tensor for the result of an operator. */
struct path_need {
    uint32_t lower, upper, condition;
    uint32_t next; /* of the same tensor, or GRAPH_NONE */
};

struct path_builder {
    const struct graph *graph;
    const struct liveness *liveness;
    const struct homes *homes; /* or NULL */
    struct path_liveness *paths;
    struct path_uses uses;
    size_t piece_capacity, condition_capacity, need_capacity;
    struct path_need *need;
    uint32_t needs, most_needs;
    uint32_t *first_need; /* [tensors] or GRAPH_NONE */
    struct error *error;
};

/* Adds a piece of the tensor under no condition, unless it is empty; joins it with the last one
   where that ends at `lower`. */
enum status path_add_always(struct path_builder *builder, uint32_t tensor, uint32_t lower,
                            uint32_t upper);
/* Adds what operators that are left later need to the pieces of the tensor, those from `first`
   on. */
enum status path_add_needs(struct path_builder *builder, uint32_t tensor, uint32_t first);
/* Adds all pieces of a tensor that is live in the region from the step `from`, at least to
   `upper`: for its uses, and what is needed of it. */
enum status path_add_pieces(struct path_builder *builder, uint32_t tensor, uint32_t region,
                            uint32_t from, uint32_t upper);

/* Makes the conditions and all needs: what is needed of results, passed on to what is yielded for
   them. No pieces are left. first_need[tensors] is scratch that was allocated. */
enum status path_pass_results(struct path_builder *builder);

#endif
