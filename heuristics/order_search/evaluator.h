#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATOR_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATOR_H

#include "core/scratch.h"
#include "planning/arena/fit.h"
#include "planning/problem/conflicts.h"

/* Places the buffers of a problem one after another in a given order, each at the lowest multiple
   of its alignment where all its bytes are free of the conflicting buffers placed before it, and
   returns the peak. Searches over orders do this thousands of times. A buffer with a window counts
   with all its bytes. Fixed buffers are placed before all others. */

/* A placed buffer that conflicts with the one that was asked about. */
struct near {
    uint64_t begin; /* its offset */
    uint32_t buffer;
};

struct evaluator {
    const struct problem *problem;
    /* The order of each list has no meaning: evaluations rearrange it. */
    struct conflicts *conflicts;
    uint32_t movables;
    /* [buffers] by position those that are not fixed, of which an order is a permutation, then the
       fixed ones */
    uint32_t *movable;
    /* [buffers] bytes; sizes of movable buffers may be rounded up to their alignment before the
       first evaluation */
    uint64_t *size;
    /* [buffers] or NULL: after an evaluation, the buffer on which each placed buffer rests. Of the
       conflicting buffers placed before it, that is the one that ends highest at or below its
       offset, the first of equals; EVALUATOR_NONE at offset 0. */
    uint32_t *predecessor;
    /* At this time the evaluation of a large problem stops and counts as above the limit;
       UINT64_MAX at first. */
    uint64_t deadline_ns;
    uint32_t placed;    /* how many buffers of the order the last evaluation placed */
    uint64_t fixed_end; /* where the highest fixed buffer ends, 0 without one */
    /* [buffers] the bytes of each placed buffer; begin is PROBLEM_FREE for the others */
    struct interval *place;
    /* [buffers] number of the last evaluation in which a conflicting buffer moved */
    uint32_t *moved;
    uint32_t evaluations;
    uint64_t visited; /* conflicts visited since the clock was last looked at */
    /* Where few buffers have many conflicts, walking over all placed buffers is faster than sorting
       a list of conflicts. Then [buffers * words]: bit b of the set of buffer a says that a and b
       conflict; else NULL */
    uint64_t *row;
    uint32_t words, items; /* of a set, and of `item` */
    struct placed_item {
        uint64_t begin, end;
        uint32_t buffer;
    } * item;                   /* [items] all placed buffers by begin, where there are rows */
    struct near *near, *merged; /* see evaluator_near; `merged` is scratch */
    uint64_t *slot;             /* of each near buffer, its index in the list of conflicts */
};

#define EVALUATOR_NONE UINT32_MAX

/* Problems with more pairs of overlapping segments are refused, since their lists of conflicts
   would take gigabytes. */
#define EVALUATOR_MOST_PAIRS ((uint64_t)1 << 27)

/* For a problem with more than EVALUATOR_MOST_PAIRS, *evaluator is NULL and the status STATUS_OK.
   The problem must outlive the evaluator. O(segments log segments + pairs). */
enum status evaluator_create(const struct problem *problem, struct evaluator **evaluator,
                             struct scratch *scratch, struct error *error);
/* Frees the conflicts, also after an error; the rest is in the scratch. NULL is fine. */
void evaluator_free(struct evaluator *evaluator);
SCOPED_POINTER(struct evaluator, evaluator_release, evaluator_free);

/* From now on evaluations fill in evaluator->predecessor. */
enum status evaluator_want_predecessors(struct evaluator *evaluator, struct scratch *scratch,
                                        struct error *error);

/* The result of an evaluation whose peak passed the limit, or that ran out of time. */
#define EVALUATOR_ABOVE UINT64_MAX

/* The peak of the order [movables], or EVALUATOR_ABOVE as soon as it is above limit_bytes. The
   first `kept` buffers of the order keep the offsets that the caller gives them in offset
   [buffers]; the others that are placed get theirs there; fixed ones are not written. Nothing is
   allocated. O(c log c) for c conflicts of the buffers that are placed, near O(c) when most of them
   lie as in the last evaluation. */
uint64_t evaluator_place_order(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                               uint64_t limit_bytes, uint64_t *offset);

/* A swap to be evaluated: an order [movables] in which the buffers at positions first < second have
   already changed places, and the offsets [buffers] that belong to the order before the swap. */
struct evaluator_swap {
    const uint32_t *order;
    uint32_t first, second;
    const uint64_t *base;
};

/* Evaluates the order after a swap. Gives the same peak and offsets as evaluator_place_order, but
   places only the two swapped buffers again and those that conflict with a buffer that has moved.
   evaluator->placed is not set, and predecessors are not updated. */
uint64_t evaluator_place_swapped(struct evaluator *evaluator, const struct evaluator_swap *swap,
                                 uint64_t limit_bytes, uint64_t *offset);

/* The functions below place buffers one by one, for a search that does so itself. */

/* Places a buffer at an offset, and removes it again. An evaluation begins by removing all buffers
   except the fixed ones. */
static inline void evaluator_put(struct evaluator *evaluator, uint32_t buffer, uint64_t offset)
{
    evaluator->place[buffer] = (struct interval){offset, offset + evaluator->size[buffer]};
}

static inline void evaluator_take(struct evaluator *evaluator, uint32_t buffer)
{
    evaluator->place[buffer].begin = PROBLEM_FREE;
}

/* Fills evaluator->near, valid until the next call, with the placed buffers that conflict with this
   one, ordered by offset, and returns their number. O(c log c) for c conflicts. */
uint64_t evaluator_near(struct evaluator *evaluator, uint32_t buffer);

/* The lowest offset that is free of the `count` buffers in evaluator->near. O(count). */
uint64_t evaluator_lowest(const struct evaluator *evaluator, uint32_t buffer, uint64_t count);

#endif
