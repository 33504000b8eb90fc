#ifndef MEMPLAN_PLANNING_PLACEMENT_H
#define MEMPLAN_PLANNING_PLACEMENT_H

#include "planning/graph.h"
#include "planning/plan.h"

/* Where the tensors of a graph are: what a policy makes of the plans of its problems. A tensor
   without an offset has no place of its own: it is external, or the result of an If that is read
   where the taken branch left it, or the result of a loop, which is where its argument is. */
struct placement {
    uint32_t tensors, operators;
    uint64_t *offset;       /* [tensors] bytes, or PROBLEM_FREE */
    uint64_t *block_offset; /* [operators] of the memory that its regions share, or PROBLEM_FREE */
    uint64_t *block_bytes;  /* [operators] */
    enum plan_status status;
    uint64_t peak_bytes;
    uint64_t lower_bound_bytes; /* no plan under the same policy has a lower peak */
    uint64_t load_bytes;        /* the part of that bound that needs no search */
    uint64_t naive_bytes;       /* sum of the sizes of all tensors that have a place */
    uint64_t nodes;
    uint64_t pool_bytes, pools; /* of the outermost level's plan: struct plan */
};

/* All offsets PROBLEM_FREE. */
enum status placement_create(const struct graph *graph, struct placement **placement,
                             struct error *error);
void placement_free(struct placement *placement);

#endif
