#ifndef MEMPLAN_HARNESS_JOINT_MOVES_H
#define MEMPLAN_HARNESS_JOINT_MOVES_H

#include "harness/job/job.h"

/* Local search over orders by the peak of a quick plan: one operator of the graph's outermost level
   is moved to another position where all edges hold, just behind its last predecessor, just before
   its first reader, or anywhere between; the move is kept unless the peak, or at the same peak the
   load, gets worse. */

struct moves_request {
    const struct job *job; /* job on the stored graph: says policy and in-place rules */
    uint64_t bound_bytes;  /* a peak as low as this ends the search; 0: none does */
    uint64_t deadline_ns;  /* as clock_deadline_ns */
    uint32_t most;         /* the most moves that are tried */
};

/* Improves *order, an order of the stored graph whose quick peak is *peak_bytes; *tried is how many
   moves were placed. Deterministic for a seed of the job, unless the deadline ends it. */
enum status moves_improve(const struct moves_request *request, struct graph_order *order,
                          uint64_t *peak_bytes, uint32_t *tried, struct error *error);

/* The least peak that some quick planners reach on an instance, under the policy and the in-place
   rules of the job; UINT64_MAX where none of them finds a plan. */
enum status moves_quick_peak(const struct job *job, const struct instance *instance,
                             uint64_t *peak_bytes, struct error *error);

#endif
