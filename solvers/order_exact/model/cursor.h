#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CURSOR_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CURSOR_H

#include "solvers/order_exact/model/model.h"

/* What its bundle takes at most and leaves: of the operator and its lazy predecessors that did not
   run. */
struct order_bundle {
    uint64_t most_bytes, live_bytes;
    uint32_t count; /* of its operators */
};

/* A place among the downsets of a model: what ran, what is live, what may run next. It moves by
   running an operator or by taking one back, in whatever order the edges allow. */

struct order_cursor {
    const struct order_model *model;
    uint64_t live_bytes; /* M */
    uint64_t hash;       /* of the set */
    uint32_t count;      /* how many ran */
    uint64_t *ran;       /* [words] */
    uint64_t *ready;     /* [words] not lazy, not run, and what its bundle waits for ran */
    uint32_t *waiting;   /* [operators] of its base, that did not run */
    uint32_t *unread;    /* [tensors] readers that did not run, and 1 more where it is kept */
    uint64_t *must_live; /* [operators] no less is live when it runs from here on */
    struct order_bundle *bundle; /* [operators] of those that are fresh, beyond live_bytes */
    uint64_t *fresh;             /* [words] */
    uint64_t *falling;           /* [words] of those that are fresh: adds no live bytes */
    uint32_t *path; /* [operators] ran since the last order_cursor_move, in this order */
    uint32_t steps; /* in path */
    bool light;     /* steps leave must_live as it is, and order_cursor_run says nothing of it */
    bool marked;    /* a place is, and then: */
    uint64_t *marked_fresh, *marked_falling; /* [words] at that place */
    uint64_t *replaced;                      /* [words] of these, whose bundle is another by now */
    struct order_bundle *marked_bundle;      /* [operators] of those in `replaced` */
};

enum status order_cursor_create(const struct order_model *model, struct order_cursor *cursor,
                                struct error *error);
void order_cursor_free(struct order_cursor *cursor);

/* To the set given, with a path of no steps. O(uses of the operators in which the sets differ). */
void order_cursor_move(struct order_cursor *cursor, const uint64_t *ran);

/* What running the operator alone takes. O(its inputs). */
uint64_t order_cursor_transient(const struct order_cursor *cursor, uint32_t op);

/* Of an operator that is ready. O(1) where nothing changed since the
   last time, else O(inputs of the bundle). */
struct order_bundle order_cursor_try(struct order_cursor *cursor, uint32_t op);

/* Runs the bundle of an operator that is ready, onto the path; returns what it took at most.
 *must_live_bytes is raised to what one of the operators left needs because of it. */
uint64_t order_cursor_run(struct order_cursor *cursor, uint32_t op, uint64_t *must_live_bytes);

/* The same for one operator alone, whose predecessors ran. */
uint64_t order_cursor_step(struct order_cursor *cursor, uint32_t op, uint64_t *must_live_bytes);

/* What one of the operators left needs at least because of one step of a path, all of whose steps
   were light. */
uint64_t order_cursor_weigh(const struct order_cursor *cursor);

/* Takes back the last steps of the path until it has so many. */
void order_cursor_undo(struct order_cursor *cursor, uint32_t steps);

/* Marks the place, where the path has no steps, until the cursor moves; order_cursor_return goes
   back to it and knows all bundles there that were known before. */
void order_cursor_mark(struct order_cursor *cursor);
void order_cursor_return(struct order_cursor *cursor);

/* Another operator that does the same is to run before this one. */
bool order_cursor_waits_for_twin(const struct order_cursor *cursor, uint32_t op);

/* The bundles of operators that are ready and that no twin has to precede, ascending: the first at
   or after `op`, ORDER_NONE after the last. */
uint32_t order_cursor_next_ready(const struct order_cursor *cursor, uint32_t op);

#endif
