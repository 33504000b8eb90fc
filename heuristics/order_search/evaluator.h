#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATOR_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATOR_H

#include "heuristics/order_search/placed_list.h"
#include "planning/arena/fit.h"
#include "planning/problem/conflicts.h"

/* Where the buffers of a problem are that have a place so far, and the lowest offset that is left
   to another. Whole buffers count where only a window is used. Fixed buffers are placed from the
   start on. */

/* A buffer that is placed and conflicts with the one that was asked about. */
struct near {
    uint64_t begin; /* its offset */
    uint32_t buffer;
};

struct evaluator {
    const struct problem *problem;
    struct conflicts *conflicts; /* each list in no particular order: evaluations rearrange it */
    uint32_t movables;
    uint32_t *movable;      /* [movables] the buffers that are not fixed, by position: what an order
                               is made of */
    uint64_t *size;         /* [buffers] bytes; those of movable ones may be rounded up to their
                               alignment before the first evaluation */
    uint32_t *predecessor;  /* [buffers] or NULL: after an evaluation what each placed buffer rests
                               on: of the conflicting ones placed before it, the one that ends
                               highest at or below its offset, the first of equals, or
                               EVALUATOR_NONE at offset 0 */
    uint64_t deadline_ns;   /* an evaluation of a large problem stops then, as if it were too high;
                               UINT64_MAX at first */
    uint32_t placed;        /* how many of the order the last evaluation got to */
    uint64_t fixed_end;     /* where the highest fixed buffer ends, 0 without one */
    struct interval *place; /* [buffers] bytes of the placed ones, the others begin at
                               PROBLEM_FREE */
    uint32_t *moved;        /* [buffers] number of the last evaluation in which a neighbour moved */
    uint32_t evaluations;
    uint64_t visited;                /* conflicts since the clock was looked at */
    struct placed_list *placed_list; /* or NULL, where lists are better */
    struct near *near, *merged;
    uint64_t *slot;
};

#define EVALUATOR_NONE UINT32_MAX

/* Problems with more pairs of overlapping segments are refused: their lists would take gigabytes.
 */
#define EVALUATOR_MOST_PAIRS ((uint64_t)1 << 27)

/* *evaluator is NULL, with STATUS_OK, for a problem of more than EVALUATOR_MOST_PAIRS. The problem
   must outlive it. O(segments log segments + pairs). */
enum status evaluator_create(const struct problem *problem, struct evaluator **evaluator,
                             struct error *error);
void evaluator_free(struct evaluator *evaluator); /* NULL is fine */

/* Asks for predecessors from now on. */
enum status evaluator_want_predecessors(struct evaluator *evaluator, struct error *error);

/* Place a buffer, and take it away again. evaluate_order begins by taking all but the fixed buffers
   away. */
static inline void evaluator_put(struct evaluator *evaluator, uint32_t buffer, uint64_t offset)
{
    evaluator->place[buffer] = (struct interval){offset, offset + evaluator->size[buffer]};
}

static inline void evaluator_take(struct evaluator *evaluator, uint32_t buffer)
{
    evaluator->place[buffer].begin = PROBLEM_FREE;
}

/* Fills evaluator->near, until the next call, with the placed buffers that conflict, by offset;
   their number. O(c log c). */
uint64_t evaluator_near(struct evaluator *evaluator, uint32_t buffer);

/* The lowest offset between those that evaluator_near listed. O(count). */
uint64_t evaluator_lowest(const struct evaluator *evaluator, uint32_t buffer, uint64_t count);

/* What a buffer at the offset rests on, as evaluator->predecessor has it, of those that
   evaluator_near listed. O(count). */
uint32_t evaluator_predecessor(const struct evaluator *evaluator, uint64_t count, uint64_t offset);

#endif
