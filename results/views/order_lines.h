#ifndef MEMPLAN_RESULTS_VIEWS_ORDER_LINES_H
#define MEMPLAN_RESULTS_VIEWS_ORDER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "results/store/query.h"

/* Results of graphs in several orders of their operators: a line for each graph, policy and order.
 */

struct order_line {
    const struct result_row *best; /* the least peak, or any where there is none; of the set */
    const char *order;
    size_t name_length;              /* of the graph in best->instance */
    uint64_t load_bytes, peak_bytes; /* as planned; load as the order says where nothing was */
    uint32_t found; /* where it was found, so that lines stay in the order of the store */
};

struct order_lines {
    struct order_line *line; /* [count] by graph and policy */
    uint32_t count;
};

/* Of the rows of graphs; the caller frees it. O(rows log rows). */
enum status order_lines_create(const struct result_set *set, struct order_lines *lines,
                               struct error *error);
void order_lines_free(struct order_lines *lines);

/* The operators of the row's graph are as they are stored. */
bool order_lines_is_stored(const struct result_row *row);

/* The first line behind `first` that is not of the same graph and policy. */
uint32_t order_lines_end(const struct order_lines *lines, uint32_t first);

/* Of the loads of all orders of one graph. What orders say of themselves is of a model, which
   regions make differ from the lifetimes. */
struct order_lines_bound {
    uint64_t bytes; /* the highest that any order of the graph proves; 0 for none */
    bool is_exact;  /* every order has the load that it says */
};
struct order_lines_bound order_lines_bound(const struct order_lines *lines, uint32_t first,
                                           uint32_t end);

#endif
