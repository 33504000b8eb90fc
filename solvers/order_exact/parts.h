#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PARTS_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PARTS_H

#include "planning/order/order_view.h"

/* An operator that every other one has to precede or to follow is a cut point: whatever the order,
   the same operators run before it. Between cut points are parts, whose orders have nothing to do
   with each other; the load is the greatest of theirs. */

struct order_parts {
    const struct order_view *view;
    uint32_t *first_after; /* [operators] greatest first successor of operators before it */
    uint32_t *last_before; /* [operators] least last predecessor of those behind it, plus 1 */
    uint32_t *local;       /* [tensors] number in the part's view, ORDER_NONE */
    uint32_t *unread;      /* [tensors] readers in the part and behind it, 1 more for kept */
    uint64_t live_bytes;   /* where the part begins */
    uint32_t first, last;  /* the part: operators [first, last) in stored order */
};

/* It stands before the first part. O(uses). */
enum status order_parts_create(const struct order_view *view, struct order_parts *parts,
                               struct error *error);
void order_parts_free(struct order_parts *parts);

/* Goes to the next part, and to all the rest as one where whole is set; false behind the last. */
bool order_parts_next(struct order_parts *parts, bool whole);

/* A view of the part alone: what was written before it and is read in it is there from the start,
   what is read behind it is kept, and what is only passed by is one tensor. O(uses of the part). */
enum status order_parts_view(struct order_parts *parts, struct order_view **created,
                             struct error *error);

#endif
