#ifndef MEMPLAN_PLANNING_ORDER_ORDER_LOAD_H
#define MEMPLAN_PLANNING_ORDER_ORDER_LOAD_H

#include "core/scratch.h"
#include "planning/order/order_view.h"

/* The state of a view whose operators run one after another: which may run next, and how many bytes
   are live. M(S) is as in order_view.h. */

struct order_run {
    const struct order_view *view;
    uint64_t live_bytes; /* M(S) of the operators S that ran */
    uint64_t load_bytes; /* the most bytes that one of them took; where none ran, the bytes that are
                            live before the first */
    uint32_t done;       /* how many ran */
    uint32_t *unread;    /* [tensors] readers that have not run, and 1 more for a kept tensor */
    uint32_t *waiting;   /* [operators] predecessors that have not run */
    uint32_t *reader_xor; /* [tensors] the numbers of its readers that have not run, joined by
                             exclusive or: where one reader is left, its number */
    bool *ran;            /* [operators] */
    struct scratch own;   /* of these arrays, unless the caller gave one */
};

/* Begins where nothing has run; the view must outlive it. O(operators + tensors + uses). */
enum status order_run_create(const struct order_view *view, struct order_run *run,
                             struct error *error);
/* As order_run_create, with the arrays in the given scratch; order_run_free is not called. */
enum status order_run_take(const struct order_view *view, struct order_run *run,
                           struct scratch *scratch, struct error *error);
/* Back to where nothing has run. O(operators + tensors). */
void order_run_restart(struct order_run *run);
void order_run_free(struct order_run *run);

/* The operator has not run and all its predecessors have. */
bool order_run_is_ready(const struct order_run *run, uint32_t op);
/* The one reader of a tensor that has not run; only where there is exactly one. */
uint32_t order_run_last_reader(const struct order_run *run, uint32_t tensor);
/* Bytes of the inputs that die when the operator runs now. O(inputs). */
uint64_t order_run_freed(const struct order_run *run, uint32_t op);
/* Bytes of its outputs that live on. O(outputs). */
uint64_t order_run_left(const struct order_run *run, uint32_t op);
/* Bytes that the operator saves if it runs now, because inputs die with it. O(its rows of
   view->spared). */
uint64_t order_run_saved(const struct order_run *run, uint32_t op);
/* What running the operator now takes: the live bytes and its own, less what it saves. Costs as
   order_run_saved. */
uint64_t order_run_transient(const struct order_run *run, uint32_t op);
/* Runs an operator that is ready. O(its inputs, outputs and successors). */
void order_run_step(struct order_run *run, uint32_t op);
/* Takes back an operator none of whose successors has run; load_bytes stays. Costs as
   order_run_step. */
void order_run_back(struct order_run *run, uint32_t op);

/* The load of a permutation that has passed order_permutation_check. O(uses + spared). */
enum status order_load(const struct order_view *view, const uint32_t *permutation,
                       uint64_t *load_bytes, struct error *error);

/* Checks that this is a permutation of the operators, and that none runs before one of its
   predecessors. Else STATUS_BAD_INPUT, with a text that names the operators. */
enum status order_permutation_check(const struct order_view *view, const uint32_t *permutation,
                                    struct error *error);

#endif
