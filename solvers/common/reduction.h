#ifndef MEMPLAN_SOLVERS_COMMON_REDUCTION_H
#define MEMPLAN_SOLVERS_COMMON_REDUCTION_H

#include "planning/plan/plan.h"
#include "planning/problem/conflicts.h"

/* What of a problem is left to search, given a lower bound L on its peak.

   A buffer can wait to the last when, wherever the buffers that conflict with it lie, a place for
   it below L is left: k buffers of sum S leave k + 1 gaps and at least L - S free bytes in [0, L),
   so one gap is large enough when L - S > (k + 1) * (size + alignment - 2), in units that all
   offsets are multiples of. Taking such buffers away makes others such, so it is repeated. What is
   left falls apart into components that do not conflict, each a problem of its own. */
struct reduction {
    uint32_t components;
    uint32_t *first;             /* [components + 1] into kept */
    uint32_t *kept;              /* buffers by component */
    uint32_t removed;            /* how many wait */
    uint32_t *waiting;           /* [removed] in the order in which they were taken away */
    struct conflicts *conflicts; /* of the whole problem */
};

/* unit_bytes: the offsets of the buffers that are kept will be multiples of it, and all sizes are.
   O(conflicts). */
enum status reduction_create(const struct problem *problem, uint64_t bound_bytes,
                             uint64_t unit_bytes, struct reduction **reduction,
                             struct error *error);
void reduction_free(struct reduction *reduction);

/* The problem of one component; its buffer i is buffer kept[first[component] + i]. */
enum status reduction_extract(const struct reduction *reduction, const struct problem *problem,
                              uint32_t component, struct problem **extracted, struct error *error);

/* Places the buffers that waited, the last taken away first, at the lowest offset. The others have
   their offsets in the plan. STATUS_BAD_INPUT if one has no place below 2^64. */
enum status reduction_place_waiting(const struct reduction *reduction,
                                    const struct problem *problem, struct plan *plan,
                                    struct error *error);

#endif
