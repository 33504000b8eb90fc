#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_CUT_H

#include "solvers/order_exact/flow.h"
#include "solvers/order_exact/model.h"

/* Live bytes are a cut function of what ran, so that a minimum cut finds the downset with the
   fewest among all between two others. */

struct order_cut {
    const struct order_model *model;
    struct flow flow;
    uint32_t *vertex; /* [operators] of those in between; 0: on the source's side, 1: the sink's */
};

enum status order_cut_create(const struct order_model *model, struct order_cut *cut,
                             struct error *error);
void order_cut_free(struct order_cut *cut);

/* Downsets, the first within the second. */
struct order_interval {
    const uint64_t *least, *most; /* [words] */
};

/* *live_bytes of the downset in the interval that has the fewest, the largest of these, into
   set[words], which may be NULL. Stops at limit_bytes, and then says so many and fills nothing.
   One maximum flow over the operators in between. */
enum status order_cut_find(struct order_cut *cut, const struct order_interval *interval,
                           uint64_t limit_bytes, uint64_t *live_bytes, uint64_t *set,
                           struct error *error);

/* The greatest over all operators v of: the fewest bytes live in any downset with all ancestors of
   v and none of its descendants, and what v takes. No order has a lower load. Looks only whether
   one exceeds *bound_bytes, which it raises; stops at the deadline. A flow for each operator. */
enum status order_cut_bound(const struct order_model *model, uint64_t deadline_ns,
                            uint64_t *bound_bytes, struct error *error);

#endif
