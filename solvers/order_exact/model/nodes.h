#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_NODES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_NODES_H

#include "core/set_table.h"
#include "solvers/order_exact/model/cursor.h"

/* The downsets that a search has met, each with the best way to it, and those that wait to be
   expanded. */

#define ORDER_NODE_NONE UINT32_MAX

struct order_node {
    uint64_t load_bytes; /* no order through this node has a lower load */
    uint64_t live_bytes;
    uint32_t parent;            /* ORDER_NODE_NONE: the search began here */
    uint32_t count;             /* operators that ran */
    uint32_t first_step, steps; /* operators that ran since the parent, in nodes->step */
    bool stale;                 /* a better way to the same set is known */
};

/* Zero-initialise it but for sets.words. */
struct order_nodes {
    struct set_table sets;   /* of each node */
    struct order_node *node; /* [sets.count] */
    uint32_t *step;          /* [steps] operators */
    uint32_t *open;          /* [open_count] a heap: the node to expand next is first */
    uint32_t steps, open_count;
    size_t node_capacity, step_capacity, open_capacity;
};

void order_nodes_free(struct order_nodes *nodes);
void order_nodes_clear(struct order_nodes *nodes);           /* forgets all nodes */
uint64_t order_nodes_bytes(const struct order_nodes *nodes); /* of memory */

/* How a search reached a downset: the node it came from, and the load that all orders on this way
   have at least. */
struct order_arrival {
    uint32_t parent;
    uint64_t load_bytes;
};

/* A downset, and the operators that ran since the node that the search came from. */
struct order_state {
    const uint64_t *set;  /* [words] */
    const uint32_t *step; /* [steps] */
    uint64_t hash, live_bytes;
    uint32_t count, steps;
};
/* The state of a cursor; borrows the cursor's arrays. */
struct order_state order_nodes_state(const struct order_cursor *cursor);

/* Adds a node for the downset. If a node of it with no greater load is known, none is added and
 *added is ORDER_NODE_NONE; a node of it with a greater load becomes stale. O(words) expected. */
enum status order_nodes_add(struct order_nodes *nodes, const struct order_state *state,
                            const struct order_arrival *arrival, uint32_t *added,
                            struct error *error);

/* The best node of the set, whose hash is given, or ORDER_NODE_NONE. O(words) expected. */
uint32_t order_nodes_find(const struct order_nodes *nodes, const uint64_t *set, uint64_t hash);

/* The set [words] of a node, valid until the next one is added. */
const uint64_t *order_nodes_set(const struct order_nodes *nodes, uint32_t node);

/* Lets a node wait to be expanded. The next one is that of the least load; of equal ones that with
   most operators that ran, then with the fewest live bytes, then the oldest. */
enum status order_nodes_push(struct order_nodes *nodes, uint32_t node, struct error *error);
/* Takes the node to expand next; ORDER_NODE_NONE where none waits. O(log count). */
uint32_t order_nodes_pop(struct order_nodes *nodes);

/* Fills permutation[count of the node] with the operators that ran up to it. */
void order_nodes_trace(const struct order_nodes *nodes, uint32_t node, uint32_t *permutation);

#endif
