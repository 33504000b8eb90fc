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
    uint32_t *storage_id;    /* [tensors] see storage_ids.h, of the outermost level's plan */
    uint32_t *overwrites; /* [tensors] the tensor in whose place it is to be written, or GRAPH_NONE.
                             That is an input of its operator; for a carried argument its init; for
                             what a body yields the argument; for the result of an assign, or its
                             value, the variable. Set before the policy places anything */
    bool *is_view;        /* [tensors] it holds what the input that it overwrites holds already, so
                             that nothing is written */
    uint64_t *block_offset; /* [operators] of the memory that its regions share, or PROBLEM_FREE */
    uint64_t *block_bytes;  /* [operators] */
    enum plan_status status;
    struct measures measures; /* pools are those of the outermost level's plan */
};

/* Makes a placement whose offsets are all PROBLEM_FREE and in which nothing overwrites anything. */
enum status placement_create(const struct graph *graph, struct placement **placement,
                             struct error *error);
void placement_free(struct placement *placement);
SCOPED_POINTER(struct placement, placement_release, placement_free);

/* Where the bytes of a tensor are. */
struct extents_walk placement_begin(const struct placement *placement, uint32_t tensor,
                                    uint64_t bytes);
/* Whether the output is no larger than the input and lies on the first bytes of the input's
   place. */
bool placement_starts_on(const struct placement *placement, const struct graph *graph,
                         uint32_t output, uint32_t input);

/* Puts a tensor where the plan has a buffer of the same size, split like it. O(the buffer's
   extents). */
enum status placement_take(struct placement *placement, uint32_t tensor, struct plan_buffer from,
                           struct error *error);
/* Puts a tensor of `bytes` bytes where the plan has the first bytes of a buffer, which may be
   larger. */
enum status placement_take_first(struct placement *placement, uint32_t tensor, uint64_t bytes,
                                 struct plan_buffer from, struct error *error);

/* The greatest end of any tensor's place; 0 where none has one. Blocks reach no higher than what
   lies in them. O(graph). */
enum status placement_find_peak(const struct graph *graph, const struct placement *placement,
                                uint64_t *peak_bytes, struct error *error);

/* How many tensors overwrite another one. O(tensors). */
uint32_t placement_in_place(const struct placement *placement);
/* Puts each tensor that overwrites another one on the first bytes of that tensor's place. O(graph +
   extents). */
enum status placement_share(const struct graph *graph, struct placement *placement,
                            struct error *error);

#endif
