#ifndef MEMPLAN_HARNESS_ORDERS_ORDERED_SET_H
#define MEMPLAN_HARNESS_ORDERS_ORDERED_SET_H

#include "harness/orders/ordered.h"

/* Graphs in several orders each, for a matrix of jobs. */

struct ordered_entry {
    const struct order_row *row;
    const struct instance *stored; /* the graph as it is stored */
    const struct policy *policy;   /* for which the order was found; NULL: for any */
    struct ordered ordered;        /* its instance is named "stored@order" */
    struct error error;            /* why there is no such order, or what is wrong with it;
                                      STATUS_LIMIT where it found none, which is no fault */
};

/* Zero-initialise it. */
struct ordered_set {
    struct ordered_entry *entry; /* [count] */
    uint32_t count;
    size_t capacity;
};

/* Adds the orders of one instance, under one policy or, for a graph without control flow, without
   one. An order that fails becomes an entry with an error; the call itself fails only where there
   is no memory. An order also gets an error where it claims a bound that is above the load of
   another order. */
struct ordered_rows {
    const struct order_row *const *row; /* [count] */
    uint32_t count;
};
enum status ordered_set_add(struct ordered_set *set, const struct ordered_request *request,
                            struct ordered_rows rows, struct error *error);
void ordered_set_free(struct ordered_set *set);

#endif
