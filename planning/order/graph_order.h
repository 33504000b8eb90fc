#ifndef MEMPLAN_PLANNING_ORDER_GRAPH_ORDER_H
#define MEMPLAN_PLANNING_ORDER_GRAPH_ORDER_H

#include "planning/order/order.h"
#include "planning/policies/policy.h"

/* Orders of the operators of all regions of a graph, and the graph that has them. */

struct graph_order {
    uint32_t *op;    /* [operators] of region after region, in the order in which they run */
    uint32_t *first; /* [regions + 1] into op */
};

/* Makes the order in which the graph is stored. O(operators + regions). */
enum status graph_order_create(const struct graph *graph, struct graph_order **order,
                               struct error *error);
void graph_order_free(struct graph_order *order); /* NULL is fine */
SCOPED_POINTER(struct graph_order, graph_order_release, graph_order_free);

/* How operators with regions take space under a policy. */
enum order_owners graph_order_owners(const struct policy *policy);

struct graph_order_task {
    const struct graph *graph;
    const struct policy *policy;
    struct inplace_choice inplace;                    /* which outputs may be written over inputs */
    uint64_t time_limit_ns, memory_limit_bytes, seed; /* of the whole graph */
};

/* A new graph whose operators run in the order; all else, the numbers of tensors too, is the same.
   The caller frees it. STATUS_BAD_INPUT where an operator stands before what it needs. O(size of
   the graph). */
enum status graph_reorder(const struct graph *graph, const struct graph_order *order,
                          struct graph **reordered, struct error *error);

/* The load of the graph in its present order, by lifetimes: after the in-place pass, under the
   policy, with blocks as large as the loads of their regions. On several streams the operators are
   taken to run one after another; under a policy for streams the load is that of path, which no
   plan of a graph without control flow is below. */
enum status graph_order_measure(const struct graph *graph, const struct policy *policy,
                                const struct inplace_choice *inplace, uint64_t *load_bytes,
                                struct error *error);

#endif
