#ifndef MEMPLAN_ORDERING_COMMON_NET_HEAP_H
#define MEMPLAN_ORDERING_COMMON_NET_HEAP_H

#include "ordering/common/ready_heap.h"
#include "planning/order/order_load.h"

/* Runs operators one by one: of those that may run always the one that comes first by a rule. The
   rule may look at the bytes that each would leave and free now; whenever these change for an
   operator, it is moved in the heap. */
struct net_heap {
    struct order_run run;
    struct ready_heap heap;
    int64_t
        *net; /* [operators] bytes that it leaves less those that it frees, of those in the heap */
};

/* comes_first gets the net_heap as context. */
enum status net_heap_create(struct net_heap *ranked, const struct order_view *view,
                            bool (*comes_first)(const void *, uint32_t, uint32_t),
                            struct error *error);
void net_heap_free(struct net_heap *ranked);
/* Fills the permutation. O((operators + edges) log operators). */
void net_heap_run(struct net_heap *ranked, uint32_t *permutation);

#endif
