#ifndef MEMPLAN_PLANNING_FAMILY_WORST_H
#define MEMPLAN_PLANNING_FAMILY_WORST_H

#include "planning/family/family.h"

/* The worst point of an orientation: the one at which its peak is most times the load. */
struct worst {
    struct family_ratio ratio;  /* the greatest that was found */
    uint64_t *point;            /* [parameters] the first point where it was found */
    struct family_ratio proved; /* no point of the box has a greater ratio */
    bool is_exact;              /* proved is no greater than ratio */
    uint64_t boxes;             /* how many boxes were looked at */
};

enum status worst_create(const struct family *family, struct worst *worst, struct error *error);
void worst_free(struct worst *worst);
/* Both are of families with that many parameters. */
void worst_copy(struct worst *to, const struct worst *from, uint32_t parameters);

/* Looks for the worst point by halving. No size falls when a parameter grows, so on the box from
   one point to another no ratio is greater than the peak at the upper point over the load at the
   lower one. A box for which that is no more than a ratio that was found is done, as is one whose
   corners prove it (corners.h), and one with a single point is exact. Ends early at the deadline,
   after most_boxes, and where a ratio above `enough` is found, which then need not be the worst;
   proved covers what was left out. point[points * parameters] are looked at first. Uses
   O(parameters * 64) boxes of memory and, for each box that it looks at, O(segments) time. */
struct worst_search {
    const struct orientation *orientation;
    const uint64_t *point; /* [points * parameters] */
    uint32_t points;
    struct family_ratio enough; /* load_bytes 0: none */
    uint64_t deadline_ns, most_boxes;
};
enum status worst_find(struct family *family, const struct worst_search *search,
                       struct worst *worst, struct error *error);

#endif
