#ifndef MEMPLAN_ORDERING_HIERARCHY_STATES_H
#define MEMPLAN_ORDERING_HIERARCHY_STATES_H

#include "planning/order/order_view.h"

/* Sets of chains that may have run, layer by layer, each with the best way to it. */

struct state {
    uint64_t load_bytes; /* the most that the way took */
    uint64_t hash;       /* of the set */
    uint32_t parent;     /* ORDER_NONE */
    uint32_t first, ops; /* that ran since the parent, into states->op */
};

struct states {
    uint32_t words;      /* of a set */
    struct state *state; /* [count] */
    uint64_t *set;       /* [count][words] */
    uint32_t *op;        /* [ops] */
    uint32_t *table;     /* [slots] of the open layer, by their hash; ORDER_NONE */
    uint32_t first;      /* of the open layer */
    uint32_t count, ops, slots;
    size_t state_capacity, set_capacity, op_capacity;
};

/* The open layer is the first one. Leaves *states fit for states_free where it fails. */
enum status states_create(uint32_t words, struct states *states, struct error *error);
void states_free(struct states *states);
uint64_t states_bytes(const struct states *states); /* of memory */

const uint64_t *states_set(const struct states *states, uint32_t state);

/* How a state was come to: the operators that ran since its parent. */
struct states_arrival {
    uint64_t load_bytes, hash;
    const uint64_t *set; /* [words] */
    uint32_t parent;
    const uint32_t *op; /* [ops] */
    uint32_t ops;
};

/* Adds a state to the open layer unless that has the same set by a way that is no worse; a worse
   one is put right. O(words + ops) expected. */
enum status states_add(struct states *states, const struct states_arrival *arrival,
                       struct error *error);

/* The states of the open layer are *first up to *end; the next layer is open. */
void states_close_layer(struct states *states, uint32_t *first, uint32_t *end);

/* Fills op[] with what ran on the way to a state; how many. */
uint32_t states_trace(const struct states *states, uint32_t state, uint32_t *op);

#endif
