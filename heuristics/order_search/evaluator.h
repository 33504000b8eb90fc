#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATOR_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATOR_H

#include "heuristics/order_search/placed_list.h"
#include "planning/arena/fit.h"
#include "planning/problem/conflicts.h"

/* Keeps where the buffers of a problem are placed so far and finds the lowest offset that is free
   for another one. A buffer with a window counts with all its bytes. Fixed buffers are placed from
   the start. */

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
    /* [movables] the buffers that are not fixed, by position; an order is a permutation of them */
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
    uint64_t visited;                /* conflicts visited since the clock was last looked at */
    struct placed_list *placed_list; /* NULL where lists of conflicts are faster */
    struct near *near, *merged;
    uint64_t *slot;
};

#define EVALUATOR_NONE UINT32_MAX

/* Problems with more pairs of overlapping segments are refused, since their lists of conflicts
   would take gigabytes. */
#define EVALUATOR_MOST_PAIRS ((uint64_t)1 << 27)

/* For a problem with more than EVALUATOR_MOST_PAIRS, *evaluator is NULL and the status STATUS_OK.
   The problem must outlive the evaluator. O(segments log segments + pairs). */
enum status evaluator_create(const struct problem *problem, struct evaluator **evaluator,
                             struct scratch *scratch, struct error *error);
/* Frees the conflicts; the rest is in the scratch. NULL is fine. */
void evaluator_free(struct evaluator *evaluator);

/* From now on evaluations fill in evaluator->predecessor. */
enum status evaluator_want_predecessors(struct evaluator *evaluator, struct scratch *scratch,
                                        struct error *error);

/* Places a buffer at an offset, and removes it again. evaluate_order begins by removing all buffers
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

/* The buffer on which one at this offset rests, as defined at evaluator->predecessor, among the
   `count` buffers in evaluator->near. O(count). */
uint32_t evaluator_predecessor(const struct evaluator *evaluator, uint64_t count, uint64_t offset);

#endif
