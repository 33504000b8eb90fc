#ifndef MEMPLAN_PLANNING_PLAN_MEASURES_H
#define MEMPLAN_PLANNING_PLAN_MEASURES_H

#include <stdint.h>

/* What a plan comes to. The same struct is carried from the planner's plan to the placement of a
   graph, the outcome of a job and the files. */
struct measures {
    uint64_t peak_bytes;        /* where the highest byte ends; 0 without a plan */
    uint64_t lower_bound_bytes; /* no plan of the same problem, or of the same graph under the same
                                   policy, has a lower peak; 0 where nothing is known */
    uint64_t load_bytes;        /* the part of that bound that needs no search */
    uint64_t naive_bytes;       /* sum of the sizes of all that has a place */
    uint64_t nodes;             /* of search trees, or plans tried */
    uint64_t pool_bytes; /* of a pooled planner: what it says its objects need; may differ from the
                            peak of the plan laid out by the buffers' own sizes. 0 for none */
    uint64_t pools;      /* its objects */
};

#endif
