#ifndef MEMPLAN_ORDERING_HIERARCHY_WALKER_H
#define MEMPLAN_ORDERING_HIERARCHY_WALKER_H

#include "ordering/hierarchy/hierarchy.h"
#include "planning/order/order_load.h"

/* A position in the search among the sets of chains that may have run. It moves by running
   operators and taking them back. */
struct walker {
    const struct hierarchy *hierarchy;
    struct order_run run;
    uint64_t *ran;       /* [words] chains whose last operator ran */
    uint64_t hash;       /* of that set */
    uint64_t most_bytes; /* that an operator took since walker_begin */
    uint32_t *path;      /* [steps] operators that ran since walker_begin */
    uint32_t steps, words;
};

/* Begins where nothing ran; the hierarchy must outlive it. O(operators + tensors). */
enum status walker_create(const struct hierarchy *hierarchy, struct walker *walker,
                          struct scratch *scratch, struct error *error);

/* Move to where nothing ran, or to the given set, where a new path begins. walker_begin begins a
   new path where the walker is. O(uses of the operators that differ). */
void walker_restart(struct walker *walker);
void walker_move(struct walker *walker, const uint64_t *ran);
void walker_begin(struct walker *walker);

/* Run chains, or operators of whole chains, one after another. If one takes more than the limit,
   they return false and move the walker back to where the path began. */
bool walker_run_chains(struct walker *walker, const uint32_t *chain, uint32_t chains,
                       uint64_t limit_bytes);
bool walker_run_ops(struct walker *walker, const uint32_t *op, uint32_t ops, uint64_t limit_bytes);

/* Goes back to where the path began. */
void walker_undo(struct walker *walker);

#endif
