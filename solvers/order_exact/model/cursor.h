#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CURSOR_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CURSOR_H

#include "solvers/order_exact/model/model.h"

/* The bundle of an operator is the operator with those of its lazy predecessors that have not run.
   most_bytes is the most that one of them takes; live_bytes are live behind the last. */
struct order_bundle {
    uint64_t most_bytes, live_bytes;
    uint32_t count; /* operators in the bundle */
};

/* A state of a search among the downsets of a model: what ran, what is live, what may run next. It
   changes by running an operator or taking one back, in any order that the edges allow. */
struct order_cursor {
    const struct order_model *model;
    uint64_t live_bytes; /* M(ran) of order_view.h */
    uint64_t hash;       /* of the set of operators that ran */
    uint32_t count;      /* operators that ran */
    uint64_t *ran;       /* [words] */
    uint64_t *ready;     /* [words] operators neither lazy nor run whose bundles may run */
    uint32_t *waiting;   /* [operators] how many operators of its base have not run */
    uint32_t *unread;    /* [tensors] readers that have not run, and 1 more where it is kept */
    uint64_t *must_live; /* [operators] bytes that are live at least when it runs later */
    struct order_bundle
        *bundle;       /* [operators] the bundles of `fresh`, their bytes beyond live_bytes */
    uint64_t *fresh;   /* [words] operators whose `bundle` is known here */
    uint64_t *falling; /* [words] operators of `fresh` whose bundles add no live bytes */
    uint32_t *path;    /* operators that ran since the last order_cursor_move, in this order */
    uint32_t steps;    /* length of path */
    bool light;        /* steps do not keep must_live up to date, see order_cursor_weigh */
    bool marked;       /* a state is marked, and the members below are about it */
    uint64_t *marked_fresh, *marked_falling; /* [words] `fresh` and `falling` in that state */
    uint64_t *replaced; /* [words] operators of marked_fresh whose bundles have changed */
    struct order_bundle *marked_bundle; /* [operators] what the bundles of `replaced` were */
    struct scratch memory;
};

/* Begins where nothing ran; the model must outlive it. */
enum status order_cursor_create(const struct order_model *model, struct order_cursor *cursor,
                                struct error *error);
void order_cursor_free(struct order_cursor *cursor);

/* Moves to the given downset; the path is empty then. O(uses of the operators in which the sets
   differ). */
void order_cursor_move(struct order_cursor *cursor, const uint64_t *ran);

/* The bytes that running the operator alone takes here. O(its inputs). */
uint64_t order_cursor_transient(const struct order_cursor *cursor, uint32_t op);

/* The bundle of an operator that is ready. O(1) if nothing that affects it has changed since the
   last call for it, else O(inputs of the bundle). */
struct order_bundle order_cursor_try(struct order_cursor *cursor, uint32_t op);

/* Runs the bundle of an operator that is ready and appends it to the path. Returns the most bytes
   that one of its operators took. Raises *must_live_bytes to the greatest must_live that this gives
   to any operator that has not run. */
uint64_t order_cursor_run(struct order_cursor *cursor, uint32_t op, uint64_t *must_live_bytes);

/* Does the same for one operator alone, whose predecessors have run. */
uint64_t order_cursor_step(struct order_cursor *cursor, uint32_t op, uint64_t *must_live_bytes);

/* For a path all of whose steps were light: the greatest must_live that one of these steps alone
   gives to any operator that has not run. */
uint64_t order_cursor_weigh(const struct order_cursor *cursor);

/* Takes back the last steps of the path until `steps` are left. */
void order_cursor_undo(struct order_cursor *cursor, uint32_t steps);

/* Marks the present state; the path has to be empty. order_cursor_return goes back to it and
   restores all bundles that were known there. order_cursor_move ends the mark. */
void order_cursor_mark(struct order_cursor *cursor);
void order_cursor_return(struct order_cursor *cursor);

/* True if a twin of the operator has to run before it and has not run. */
bool order_cursor_waits_for_twin(const struct order_cursor *cursor, uint32_t op);

/* The first operator from number `op` on that is ready and waits for no twin; ORDER_NONE if there
   is none. */
uint32_t order_cursor_next_ready(const struct order_cursor *cursor, uint32_t op);

#endif
