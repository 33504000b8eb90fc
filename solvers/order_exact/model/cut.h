#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_CUT_H

#include "solvers/order_exact/model/flow.h"
#include "solvers/order_exact/model/model.h"

/* Live bytes are a cut function of what ran, so that a minimum cut finds the downset with the
   fewest among all between two others. */

struct order_cut {
    const struct order_model *model;
    struct flow flow;
    uint32_t *vertex; /* [operators] of those in between; 0: on the source's side, 1: the sink's */
    uint32_t vertices;
    uint64_t always_bytes; /* live in all downsets of the interval; no part of the flow */
};

enum status order_cut_create(const struct order_model *model, struct order_cut *cut,
                             struct error *error);
void order_cut_free(struct order_cut *cut);

/* Downsets, the first within the second. */
struct order_interval {
    const uint64_t *least, *most; /* [words] */
};

/* The network of an interval, where nothing flows yet, with room for so many more vertices. A
   downset is a cut, and its live bytes are what the cut lets through and always_bytes. */
enum status order_cut_open(struct order_cut *cut, const struct order_interval *interval,
                           uint32_t more_vertices, struct error *error);

/* After a run: the operators on the source's side of the minimum cut that has the most of them, and
   the first downset of the interval, into set[words]. O(arcs). */
void order_cut_take_side(struct order_cut *cut, const struct order_interval *interval,
                         uint64_t *set);

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
