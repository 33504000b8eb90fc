#ifndef MEMPLAN_RESULTS_VIEWS_ORDER_LINES_H
#define MEMPLAN_RESULTS_VIEWS_ORDER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "results/store/order_rows.h"

/* Results of graphs in several orders of their operators: a line for each graph,
   policy and order. */

struct order_line {
    /* The row with the least peak, or any row where there is no plan; borrowed from the set. */
    const struct result_row *best;
    const char *order;
    size_t name_length; /* of the graph in best->instance */
    /* As planned; where nothing was planned, the load that the order claims. */
    uint64_t load_bytes, peak_bytes;
    uint32_t found; /* position at which it was found, so that lines keep the order of the store */
};

struct order_lines {
    struct order_line *line; /* [count] by graph and policy */
    uint32_t count;
};

/* Makes lines from the rows of graphs; the caller frees them. O(rows log rows). */
enum status order_lines_create(const struct result_set *set, struct order_lines *lines,
                               struct error *error);
void order_lines_free(struct order_lines *lines);

/* The first line behind `first` that is not of the same graph and policy. */
uint32_t order_lines_end(const struct order_lines *lines, uint32_t first);

/* The bound on the loads of all orders of one graph. Orders give the load of a model, in which
   graphs with regions have other lifetimes. */
struct order_lines_bound {
    uint64_t bytes; /* the highest bound that any order of the graph proves; 0 for none */
    bool is_exact;  /* the claimed load of every order is its load as planned */
};
struct order_lines_bound order_lines_bound(const struct order_lines *lines, uint32_t first,
                                           uint32_t end);

#endif
