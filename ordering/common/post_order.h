#ifndef MEMPLAN_ORDERING_COMMON_POST_ORDER_H
#define MEMPLAN_ORDERING_COMMON_POST_ORDER_H

#include "planning/order/order_view.h"

/* Depth-first walks that emit an operator when they leave it. */
struct post_order {
    const struct order_lists *next; /* [operators] to be emitted before it, in this order */
    uint32_t *emitted;              /* [count] the caller's */
    uint32_t count;
    uint32_t *stack, *at; /* operators that were entered and not left, and where each one is */
    bool *seen;
};

/* next and emitted, of as many numbers as next has rows, stay the caller's. */
enum status post_order_create(struct post_order *walk, const struct order_lists *next,
                              uint32_t *emitted, struct error *error);
void post_order_free(struct post_order *walk);
/* Walks from the root, unless it was seen before. O(what is seen for the first time). */
void post_order_visit(struct post_order *walk, uint32_t root);

/* Fills *ranked, the predecessors of each operator in the order in which all operators stand in
   rank[operators]. O(operators + edges). */
enum status post_order_rank(const struct order_view *view, const uint32_t *rank,
                            struct order_lists *ranked, struct error *error);

/* Fills permutation[operators]: walks from each operator that nobody follows, in the view's order,
   to an operator's predecessors by gain[operators], the greatest first, equal ones as the view
   lists them, and so all of an operator that is marked in as_listed[operators] (NULL: none is).
   O(operators + edges log edges). */
enum status post_order_by_gain(const struct order_view *view, const int64_t *gain,
                               const bool *as_listed, uint32_t *permutation, struct error *error);

#endif
