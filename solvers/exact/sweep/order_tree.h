#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_ORDER_TREE_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_ORDER_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/scratch.h"

/* In which orders, from the bottom up, buffers may lie that are live together: all frontiers of a
   tree whose nodes let their children lie in any order, or in a sequence that may be turned over
   (PQ-trees: Booth and Lueker, Journal of Computer and System Sciences 13, 1976). Trees are never
   changed, so that many can share their nodes. */

struct order_node {
    uint32_t leaves;   /* below it; 1 for a leaf */
    uint32_t marked;   /* of these, when leaves were last counted */
    uint32_t buffer;   /* of a leaf */
    uint32_t children; /* 0 for a leaf, else at least 2 */
    bool is_sequence;
    struct order_node *child[]; /* [children] */
};

/* Where nodes lie until all are freed at once. All zeroes is an empty pool. */
struct order_pool {
    struct scratch memory;
    unsigned char *block;
    size_t used;
};
void order_pool_free(struct order_pool *pool); /* leaves an empty one */

enum status order_tree_leaf(struct order_pool *pool, uint32_t buffer, struct order_node **made,
                            struct error *error);

/* A node above leaves of count >= 1 buffers, which may lie in any order; of one buffer its leaf. */
enum status order_tree_group(struct order_pool *pool, const uint32_t *buffer, uint32_t count,
                             struct order_node **made, struct error *error);

/* Copies a tree into another pool. O(nodes), as are all functions below but replace. */
enum status order_tree_copy(struct order_pool *pool, const struct order_node *tree,
                            struct order_node **made, struct error *error);

/* Counts into each node the leaves below it whose buffers are marked: mark[buffer]. */
void order_tree_count(struct order_node *tree, const bool *mark);

/* The highest nodes of which all leaves are marked, as counted, into part[parts], from left to
   right; room for as many as there are marked leaves. */
void order_tree_parts(struct order_node *tree, struct order_node **part, uint32_t *parts);

/* The buffers of the leaves into buffer[leaves], from left to right. */
void order_tree_leaves(const struct order_node *tree, uint32_t *buffer);

/* The tree of all orders in which the marked leaves, as counted, lie side by side, with
   `replacement` where they lay; NULL where no order is left. stack has room for 4 * leaves nodes.
   O(nodes^2) at most, mostly O(nodes). */
enum status order_tree_replace(struct order_pool *pool, struct order_node *tree,
                               struct order_node *replacement, struct order_node **stack,
                               struct order_node **made, struct error *error);

/* The logarithm of the number of orders; log_factorial has one entry more than there are leaves. */
double order_tree_freedom(const struct order_node *tree, const double *log_factorial);

/* Equal for trees with the same orders, whatever the order of children that may lie in any. */
uint64_t order_tree_digest(const struct order_node *tree);

#endif
