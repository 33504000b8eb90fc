#ifndef MEMPLAN_PLANNING_VERIFY_PLAN_H
#define MEMPLAN_PLANNING_VERIFY_PLAN_H

#include "planning/plan/plan.h"

/* Checks a plan against its problem with code that shares nothing with any planner. */

enum verify_fault {
    VERIFY_VALID,
    VERIFY_WRONG_COUNT,   /* the plan is for another number of buffers */
    VERIFY_NO_OFFSET,     /* buffer first has no offset */
    VERIFY_OUT_OF_RANGE,  /* buffer first ends beyond 2^64 */
    VERIFY_MISALIGNED,    /* an extent of first does not begin at a multiple of its alignment */
    VERIFY_NOT_FIXED,     /* first is not at its fixed offset */
    VERIFY_OVERLAP,       /* first and second are live at step and share bytes */
    VERIFY_WRONG_PEAK,    /* the plan's peak is not max(offset + size) */
    VERIFY_WRONG_EXTENTS, /* the extents of first do not add up to its size, one is empty, or the
                             first of them is not at its offset */
    VERIFY_SELF_OVERLAP,  /* two extents of first share bytes */
};

/* What is wrong and the witness. */
struct verdict {
    enum verify_fault fault;
    uint32_t first, second; /* buffers */
    uint32_t step;
};

/* Sweep over the steps with the live windows kept in address order: O(s log s + s * live) for s
   segments, where live is the greatest number live at once; a window over several extents counts
   once for each. Fails only for lack of memory. */
enum status verify_plan(const struct problem *problem, const struct plan *plan,
                        struct verdict *verdict, struct error *error);

/* Every pair of segments: the reference for tests. O(segments^2). */
void verify_plan_pairwise(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict);

/* Checks the fixed buffers of a problem among themselves: VERIFY_VALID or VERIFY_OVERLAP, which
   means that the problem has no plan. The same costs on the fixed buffers alone. */
enum status verify_fixed(const struct problem *problem, struct verdict *verdict,
                         struct error *error);

/* Checks the extents of one item of so many bytes: valid, no offset, out of range or wrong extents.
   O(its extents). */
enum verify_fault verify_extents(const struct extents *extents, uint32_t item, uint64_t offset,
                                 uint64_t bytes);

/* Finds an item that has two extents with bytes in common; *item is extents->items where none has.
   O(extents log extents). */
enum status verify_extents_apart(const struct extents *extents, uint32_t *item,
                                 struct error *error);

const char *verify_fault_name(enum verify_fault fault);

/* One sentence that names buffers, offsets and step. */
void verify_describe(const struct problem *problem, const struct plan *plan,
                     const struct verdict *verdict, char *text, size_t text_bytes);

#endif
