#ifndef MEMPLAN_HARNESS_FAMILY_FAMILY_PLAN_H
#define MEMPLAN_HARNESS_FAMILY_FAMILY_PLAN_H

#include "harness/job/job.h"
#include "planning/family/worst.h"

/* One plan for all sizes of an instance whose problem is a family: an orientation, and what is
   proved of it. See docs/sizes.md. */
struct family_plan {
    struct family family;
    struct orientation *orientation;
    enum plan_status status; /* optimal: no orientation has a lower peak at the greatest sizes, and
                                none with this peak there has a lower worst ratio */
    uint64_t peak_bytes;     /* at the greatest sizes */
    uint64_t bound_bytes;    /* no plan for the greatest sizes has a lower peak */
    struct worst worst;      /* the point with the worst ratio */
    /* No orientation with this peak has a lower worst ratio: the greatest ratio of a bound on the
       peak at one point to the load there, or below which the exact search refused all. 0 where
       nothing is known. */
    struct family_ratio least;
    struct family_ratio fixed; /* the worst ratio of the arena for the greatest sizes */
    uint32_t points;           /* at which the planner planned */
    uint64_t nodes;            /* of the search over orientations */
    uint64_t wall_ns;
};

struct family_request {
    const struct job *job; /* whose instance is the family; its planner plans at single points,
                              its time limit is for all of it */
    const uint64_t *point; /* [points * parameters] points of the box that matter, or NULL */
    uint32_t points;
    bool worst_first; /* the least worst ratio comes before the least peak */
};

/* Plans at the corners of the box and takes the best orientation that these plans give; then finds
   its worst point, plans there, too, and improves, until the worst ratio is proved to be the least
   or time is over. STATUS_BAD_INPUT as family_create. The plan is to be cleared even after an
   error. */
enum status family_plan_find(const struct family_request *request, struct family_plan *plan,
                             struct error *error);
void family_plan_clear(struct family_plan *plan);

#endif
