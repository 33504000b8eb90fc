#ifndef MEMPLAN_PLANNING_PLAN_PLACEMENT_H
#define MEMPLAN_PLANNING_PLAN_PLACEMENT_H

#include "planning/graph/graph.h"
#include "planning/plan/measures.h"
#include "planning/plan/plan.h"

/* Where the tensors of a graph are: what a policy makes of the plans of its problems. A tensor
   without an offset has no place of its own: it is external, or the result of an If that is read
   where the taken branch left it, or the result of a loop, which is where its argument is. The
   result of an If that has an offset is copied there when the If is left, unless it lies exactly
   there. */
struct placement {
    uint32_t tensors, operators;
    uint64_t *offset; /* [tensors] bytes, or PROBLEM_FREE; where split, of the first extent */
    struct extents *extents; /* of the tensors that are split; NULL where none is */
    uint32_t *overwrites; /* [tensors] in whose place it was meant to be written, or GRAPH_NONE: the
                             input of its operator, the init of a carried argument, the argument
                             of what a body yields; set before the policy places anything */
    bool *is_view;        /* [tensors] and that the output holds what this input holds, so that
                             nothing is written */
    uint64_t *block_offset; /* [operators] of the memory that its regions share, or PROBLEM_FREE */
    uint64_t *block_bytes;  /* [operators] */
    enum plan_status status;
    struct measures measures; /* pools are those of the outermost level's plan */
};

/* All offsets PROBLEM_FREE, nothing overwrites anything. */
enum status placement_create(const struct graph *graph, struct placement **placement,
                             struct error *error);
void placement_free(struct placement *placement);

/* Adds an extent behind those of the tensor, and sets its offset with the first. All extents of a
   tensor come one after another. O(1) amortised. */
enum status placement_add_extent(struct placement *placement, uint32_t tensor, uint64_t offset,
                                 uint64_t bytes, struct error *error);

/* Where the bytes of a tensor are. */
struct extents_walk placement_begin(const struct placement *placement, uint32_t tensor,
                                    uint64_t bytes);
/* The output is no larger than the input and in the same bytes of the arena as its first ones. */
bool placement_starts_on(const struct placement *placement, const struct graph *graph,
                         uint32_t output, uint32_t input);

/* A tensor is where the plan has a buffer of its size, split like it. O(the buffer's extents). */
enum status placement_take(struct placement *placement, uint32_t tensor, const struct plan *plan,
                           uint32_t buffer, struct error *error);
/* A tensor of so many bytes is where the first of a buffer are, which may have more. */
enum status placement_take_first(struct placement *placement, uint32_t tensor, uint64_t bytes,
                                 const struct plan *plan, uint32_t buffer, struct error *error);

/* How many tensors were meant to be written in another one's place. O(tensors). */
uint32_t placement_in_place(const struct placement *placement);
/* Gives each of them the first bytes of that other one's place, once the others have theirs.
   O(graph + extents). */
enum status placement_share(const struct graph *graph, struct placement *placement,
                            struct error *error);

#endif
