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
bool graph_order_equals(const struct graph *graph, const struct graph_order *order,
                        const struct graph_order *other);

/* How operators with regions take space under a policy. */
enum order_owners graph_order_owners(const struct policy *policy);

struct graph_order_task {
    const struct graph *graph;
    const struct policy *policy;
    struct inplace_choice inplace;                    /* which outputs may be written over inputs */
    uint64_t time_limit_ns, memory_limit_bytes, seed; /* of the whole graph */
};

/* Orders every region by the row, the innermost first: an operator with regions takes, in the
   region around it, what the orders of its regions make it take. *report tells of the graph itself:
   its load is that of the view, which lifetimes may not agree with (graph_order_measure), its bound
   holds for the lifetimes of all orders. With control flow a row that may prove one measures
   all orders, of which the best is found, or is asked for the bound apart, under
   ORDER_OWNERS_LEAST. A region whose order failed keeps the stored
   one, and the report has the failure's status. STATUS_BAD_INPUT where what the row makes is no
   order, STATUS_NO where it has another load than the row says. */
enum status graph_order_find(const struct order_row *row, const struct graph_order_task *task,
                             struct graph_order **order, struct order_report *report,
                             struct error *error);

/* The load that lifetimes say the graph has as it stands: after the in-place pass, under the
   policy, blocks as large as the loads of their regions. Graphs on several streams, and those under
   policies for such, are taken as if the operators ran one after the other. */
enum status graph_order_measure(const struct graph *graph, const struct policy *policy,
                                const struct inplace_choice *inplace, uint64_t *load_bytes,
                                struct error *error);

/* The load that the orders give the graph itself, each region counted as in graph_order_find. */
enum status graph_order_load(const struct graph_order_task *task, const struct graph_order *order,
                             uint64_t *load_bytes, struct error *error);

#endif
