#ifndef MEMPLAN_PLANNING_PLAN_PLAN_H
#define MEMPLAN_PLANNING_PLAN_PLAN_H

#include "planning/plan/extents.h"
#include "planning/plan/measures.h"
#include "planning/plan/search_record.h"
#include "planning/plan/storage_ids.h"
#include "planning/problem/problem.h"

/* How sure a planner is of its plan. */
enum plan_status {
    PLAN_OPTIMAL,     /* proved: no plan has a lower peak */
    PLAN_FEASIBLE,    /* a plan, nothing proved */
    PLAN_INFEASIBLE,  /* proved: no plan fits the capacity */
    PLAN_TIMEOUT,     /* a limit was reached and there is no plan */
    PLAN_UNSUPPORTED, /* the planner cannot do this problem */
    PLAN_GAVE_UP,     /* no plan within the capacity, nothing proved */
    PLAN_MEMOUT,      /* the memory limit was reached and there is no plan */
    PLAN_CRASH,       /* the planner crashed or ended the process that it ran in */
    PLAN_STATUSES
};

/* An offset for each buffer of a problem, or several extents. Offsets mean something only with
   PLAN_OPTIMAL and PLAN_FEASIBLE. */
struct plan {
    enum plan_status status;
    uint32_t buffers;
    uint64_t *offset;        /* [buffers] bytes; where it is split, of its first extent */
    struct extents *extents; /* of the buffers that are split; NULL where none is */
    uint32_t *storage_id; /* [buffers] see storage_ids.h; NULL where the planner has no objects */
    struct measures measures; /* a planner leaves load and naive to plan_complete; its lower bound
                                 is what it proved */
    char reason[128];         /* of PLAN_UNSUPPORTED, or why nothing could be proved; or "" */
    struct search_record *search; /* of a planner that tells how it searched; NULL for none */
};

/* One of a plan's buffers. */
struct plan_buffer {
    const struct plan *plan;
    uint32_t buffer;
};

/* Offsets are PROBLEM_FREE until they are set. */
enum status plan_create(const struct problem *problem, struct plan **plan, struct error *error);
void plan_free(struct plan *plan);
SCOPED_POINTER(struct plan, plan_release, plan_free);

/* Whether a plan was found, so that its offsets can be read. */
bool plan_status_is_found(enum plan_status status);
bool plan_found(const struct plan *plan);

/* Completes the measures of a plan that a planner has made: sets load and naive bytes to those of
   the problem, raises the lower bound to the load at least, and sets peak and pools to 0 where no
   plan was found. O(segments log segments). */
enum status plan_complete(struct plan *plan, const struct problem *problem, struct error *error);

/* Copies offsets and peak, but no storage ids, from another plan of the same problem, which splits
   no buffer. The status becomes feasible. */
void plan_take(struct plan *plan, const struct plan *other);

/* Adds an extent behind those of the buffer, and sets its offset with the first. All extents of a
   buffer come one after another. O(1) amortised. */
enum status plan_add_extent(struct plan *plan, uint32_t buffer, uint64_t offset, uint64_t bytes,
                            struct error *error);

/* Where bytes [lower, upper) of a buffer are. */
struct extents_walk plan_begin(const struct plan *plan, uint32_t buffer, uint64_t lower,
                               uint64_t upper);

/* Sets the peak from the offsets and extents. Fails with STATUS_INTERNAL where an offset is
   missing or an end overflows. O(buffers + extents). */
enum status plan_set_peak(struct plan *plan, const struct problem *problem, struct error *error);

/* Does the same for a plan of which nothing is proved: it becomes feasible, with its peak. */
enum status plan_set_feasible(struct plan *plan, const struct problem *problem,
                              struct error *error);

const char *plan_status_name(enum plan_status status);

#endif
