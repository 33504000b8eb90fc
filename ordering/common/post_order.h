#ifndef MEMPLAN_ORDERING_COMMON_POST_ORDER_H
#define MEMPLAN_ORDERING_COMMON_POST_ORDER_H

#include "core/scratch.h"
#include "planning/order/order_view.h"

/* Depth-first walks through a graph that emit an operator when they leave it, after all that has to
   come before it. All memory is in a scratch. */
struct post_order {
    const struct order_lists *next; /* [operators] what is emitted before it, in this order */
    uint32_t *emitted;              /* [count] operators emitted so far; the caller's array */
    uint32_t count;
    uint32_t *stack,
        *at; /* operators entered and not left; for each, which of its `next` is visited next */
    bool *seen;
};

/* The arrays next and emitted stay the caller's; emitted has as many numbers as next has rows. */
enum status post_order_create(struct post_order *walk, const struct order_lists *next,
                              uint32_t *emitted, struct scratch *scratch, struct error *error);
/* Walks from the root, unless it was seen before. O(what is seen for the first time). */
void post_order_visit(struct post_order *walk, uint32_t root);
/* Walks from each operator without successors, in the view's order. */
void post_order_visit_ends(struct post_order *walk, const struct order_view *view);

/* Fills *ranked with the predecessors of each operator, sorted by their positions in
   rank[operators], an order of all operators; it shares the row starts of view->predecessors and is
   not to be freed. O(operators + edges). */
enum status post_order_rank(const struct order_view *view, const uint32_t *rank,
                            struct order_lists *ranked, struct scratch *scratch,
                            struct error *error);

/* Fills permutation[operators] by walks from each operator without successors, in the view's order.
   A walk goes to an operator's predecessors by gain[operators], the greatest first and equal ones
   as the view lists them. All predecessors of an operator that is marked in as_listed[operators],
   which may be NULL, come as the view lists them. O(operators + edges log edges). */
enum status post_order_by_gain(const struct order_view *view, const int64_t *gain,
                               const bool *as_listed, uint32_t *permutation,
                               struct scratch *scratch, struct error *error);

#endif
