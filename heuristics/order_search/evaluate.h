#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATE_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATE_H

#include "planning/arena/fit.h"
#include "planning/problem/conflicts.h"

/* Places the buffers of a problem one after another in an order, each at the lowest multiple of its
   alignment where all its bytes are free of the conflicting buffers placed before it, and gives the
   peak: what a search over orders asks thousands of times. Whole buffers count where only a window
   is used. Fixed buffers are placed before all others. */

/* A placed buffer that conflicts with the one that is asked about. */
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
                               EVALUATE_NONE at offset 0 */
    uint64_t deadline_ns;   /* an evaluation of a large problem stops then, as if it were too high;
                               UINT64_MAX at first */
    uint32_t placed;        /* how many of the order the last evaluation got to */
    uint64_t fixed_end;     /* where the highest fixed buffer ends, 0 without one */
    struct interval *place; /* [buffers] bytes of the placed ones, the others begin at
                               PROBLEM_FREE */
    uint32_t *moved;        /* [buffers] number of the last evaluation in which a neighbour moved */
    uint32_t evaluations;
    uint64_t visited;    /* conflicts since the clock was looked at */
    struct shelf *shelf; /* or NULL, where lists are better */
    struct near *near, *merged;
    uint64_t *slot;
};

#define EVALUATE_NONE UINT32_MAX

/* What evaluations give once the peak passed its limit, or the time its. */
#define EVALUATE_ABOVE UINT64_MAX

/* Problems with more pairs of overlapping segments are refused: their lists would take gigabytes.
 */
#define EVALUATE_MOST_PAIRS ((uint64_t)1 << 27)

/* *evaluator is NULL, with STATUS_OK, for a problem of more than EVALUATE_MOST_PAIRS. The problem
   must outlive it. O(segments log segments + pairs). */
enum status evaluate_create(const struct problem *problem, struct evaluator **evaluator,
                            struct error *error);
void evaluate_free(struct evaluator *evaluator); /* NULL is fine */

/* Asks for predecessors from now on. */
enum status evaluate_want_predecessors(struct evaluator *evaluator, struct error *error);

/* The peak of the order [movables], or EVALUATE_ABOVE as soon as it is above limit_bytes. The
   first `kept` buffers of the order keep the offsets that the caller gives them in offset
   [buffers]; the others that are placed get theirs there; fixed ones are not written. Nothing is
   allocated. O(c log c) for c conflicts of the buffers that are placed, near O(c) when most of them
   lie as in the last evaluation. */
uint64_t evaluate_order(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                        uint64_t limit_bytes, uint64_t *offset);

/* evaluate_order of an order in which the buffers at positions first < second have changed places,
   where base [buffers] are the offsets of the order before that: the same peak and offsets, but
   only the two and what conflicts with something that moved is placed anew. placed is not set, and
   predecessors are not kept up. */
uint64_t evaluate_swapped(struct evaluator *evaluator, const uint32_t *order, uint32_t first,
                          uint32_t second, uint64_t limit_bytes, const uint64_t *base,
                          uint64_t *offset);

/* For planners that place buffers and take them away one by one. At first the fixed buffers are
   placed; evaluate_order begins by taking all others away. */
void evaluate_put(struct evaluator *evaluator, uint32_t buffer, uint64_t offset);
void evaluate_take(struct evaluator *evaluator, uint32_t buffer);

/* Fills evaluator->near, until the next call, with the placed buffers that conflict, by offset;
   their number. O(c log c). */
uint64_t evaluate_near(struct evaluator *evaluator, uint32_t buffer);

/* The lowest offset between those that evaluate_near listed. O(count). */
uint64_t evaluate_lowest(const struct evaluator *evaluator, uint32_t buffer, uint64_t count);

#endif
