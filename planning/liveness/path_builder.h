#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "core/scratch.h"

struct graph;
struct liveness;
struct path_liveness;
struct result_places;

/* What the files that make a path_liveness share. path_liveness.c lists where each tensor is used,
   path_results.c then finds the needs of each. path_intervals.c makes the intervals of one tensor
   after another from its uses and needs. path_moves.c adds what clashes at the end. */

/* Where each tensor is used, in the order of the program. An operator uses its inputs at the step
   that enters it, a branch what it yields at its own end, and a loop what its regions yield at the
   step that leaves it. What is moved into a carried argument (see path_add_clashes) is used up to
   the step of the move: the init up to the step that enters the loop, what a turn yields up to the
   step that leaves it. */
struct path_use {
    uint32_t region; /* that holds the use directly */
    uint32_t upper;  /* one past the last step at which this use needs it */
};

struct path_uses {
    uint32_t *first; /* [tensors + 1] */
    struct path_use *use;
};

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
    struct scratch memory; /* that holds the uses and first_need */
};

/* Adds an interval of the tensor under no condition, unless it is empty. Joins it with the last
   interval if that one ends at `lower`. */
enum status path_add_always(struct path_builder *builder, uint32_t tensor, uint32_t lower,
                            uint32_t upper);
/* Adds the needs of the tensor to its intervals, which begin at number `first`. */
enum status path_add_needs(struct path_builder *builder, uint32_t tensor, uint32_t first);
/* Adds the intervals of a loop's argument from the step that enters the loop to the last use in a
   turn. */
enum status path_add_turn(struct path_builder *builder, uint32_t argument, uint32_t loop);
/* Adds all intervals of a tensor that is live in the region from the step `from`, at least up to
   `upper`: those of its uses and those of its needs. */
enum status path_add_intervals(struct path_builder *builder, uint32_t tensor, uint32_t region,
                               uint32_t from, uint32_t upper);

/* Makes the conditions and all needs: whatever is yielded for a result that has no place of its own
   is needed while that result is. Leaves no intervals behind. */
enum status path_pass_results(struct path_builder *builder);

/* Operators with regions move values: what a branch yields into the place of the result; the init
   of a carried argument, and what a turn yields for it, into the place of the argument. All moves
   of one step happen as if at the same time.

       if -> r s              r may lie anywhere over t, from which it is copied, and so may s over
         then: a -> t u       u, as nobody needs t and u any more: no step has both. But the copy
               yields t u     to r must not hit u, nor that to s t: they clash.

   Adds to paths->clash the conflicts that the intervals do not have: each place that is written by
   a move conflicts with what another move of that step reads, where this is not live at that step.
   Inputs of the graph conflict with each other too, where one of them is live at no step. To be
   called when all intervals have been added. O(graph + clashes + for each group of moves its
   members squared). */
enum status path_add_clashes(struct path_builder *builder);

#endif
