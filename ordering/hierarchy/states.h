#ifndef MEMPLAN_ORDERING_HIERARCHY_STATES_H
#define MEMPLAN_ORDERING_HIERARCHY_STATES_H

#include "core/set_table.h"
#include "planning/order/order_view.h"

/* Sets of chains that may have run, layer by layer, each with the best way to it. */

struct state {
    uint64_t load_bytes; /* the most that the way took */
    uint32_t parent;     /* ORDER_NONE: the first one */
    uint32_t first, ops; /* operators that ran since the parent, in states->op */
};

/* Zero-initialise it but for sets.words; its first layer is open then. */
struct states {
    struct set_table sets; /* of each state; only those of the open layer can be looked up */
    struct state *state;   /* [sets.count] */
    uint32_t *op;          /* [ops] */
    uint32_t ops;
    size_t state_capacity, op_capacity;
};

void states_free(struct states *states);
uint64_t states_bytes(const struct states *states); /* of memory */

/* How a state was reached: its set, and the operators that ran since its parent. */
struct states_arrival {
    uint64_t load_bytes, hash;
    const uint64_t *set; /* [words] */
    uint32_t parent;
    const uint32_t *op; /* [ops] */
    uint32_t ops;
};

/* Adds a state to the open layer. If the layer has a state with the same set, only the way of the
   lesser load is kept. O(words + ops) expected. */
enum status states_add(struct states *states, const struct states_arrival *arrival,
                       struct error *error);

/* Closes the open layer, whose states are [*first, *end), and opens the next one. */
void states_close_layer(struct states *states, uint32_t *first, uint32_t *end);

/* Fills op[] with the operators that ran on the way to a state; returns how many. */
uint32_t states_trace(const struct states *states, uint32_t state, uint32_t *op);

#endif
