#ifndef MEMPLAN_PLANNING_FAMILY_ORIENTATION_H
#define MEMPLAN_PLANNING_FAMILY_ORIENTATION_H

#include "planning/problem/problem.h"
#include "planning/problem/timeline.h"

/* A plan for all sizes: of each two buffers that conflict it says which one lies below the other,
   in such a way that nothing lies below itself. Given sizes, each buffer begins where the highest
   of those below it ends, rounded up to its alignment. So no two buffers that conflict ever share a
   byte, whatever the sizes are.

   Most pairs follow from others: the buffers that are live at one step lie one above the other, so
   it is enough to list of each the next one below and the next one above at each step where it
   begins to be live. These are at most two pairs for each segment. */
struct orientation {
    uint32_t buffers;
    uint32_t *sorted; /* [buffers] each behind all that lie below it */
    uint32_t *first;  /* [buffers + 1] */
    uint32_t *below;  /* the buffers listed below b: below[first[b]] .. below[first[b + 1] - 1] */
};

#define ORIENTER_NONE UINT32_MAX

/* Makes any number of orientations of one problem. The problem has no clocks. */
struct orienter {
    const struct problem *problem;
    const struct timeline *timeline;
    uint32_t *rank; /* [buffers] place in the order */
    uint32_t *live; /* [buffers] ranks of the buffers live at a step of the sweep, rising */
    /* [2 * segments] the buffers right below (2 * s) and right above (2 * s + 1) that of segment s
       where s begins, or ORIENTER_NONE: the pairs from which all others follow. */
    uint32_t *link;
    struct scratch scratch;
};

/* The problem and its timeline must outlive the orienter. O(segments). */
enum status orienter_create(const struct problem *problem, const struct timeline *timeline,
                            struct orienter *orienter, struct error *error);
void orienter_free(struct orienter *orienter);

/* Room for an orientation of the problem, which orienter_orient fills. The caller frees it. */
enum status orientation_create(const struct problem *problem, struct orientation **orientation,
                               struct error *error);
void orientation_free(struct orientation *orientation); /* NULL is fine */
SCOPED_POINTER(struct orientation, orientation_release, orientation_free);
void orientation_copy(struct orientation *orientation, const struct orientation *source);

/* Orients each pair that conflicts by sorted[buffers], lowest first, which may be
   orientation->sorted. O(segments * live at once), most of it moving of memory. */
void orienter_orient(struct orienter *orienter, const uint32_t *sorted,
                     struct orientation *orientation);

/* Does the first half of orienter_orient: fills only rank and link. */
void orienter_link(struct orienter *orienter, const uint32_t *sorted);

/* Orients by the offsets[buffers] of a valid plan; no buffer gets a higher offset for the sizes of
   that plan. */
enum status orienter_orient_by_offsets(struct orienter *orienter, const uint64_t *offset,
                                       struct orientation *orientation, struct error *error);

/* Fills sorted from the lists of what lies below each buffer, which have no circle. O(pairs). */
enum status orientation_sort(struct orientation *orientation, struct error *error);

/* Fills offset[buffers] with the offsets for these sizes, and finds the peak. False where a buffer
   would end beyond 2^63 - 1. O(buffers). */
bool orientation_place(const struct orientation *orientation, const struct problem *problem,
                       const uint64_t *size, uint64_t *offset, uint64_t *peak_bytes);

#endif
