#ifndef MEMPLAN_ORDERING_HIERARCHY_DOMINATORS_H
#define MEMPLAN_ORDERING_HIERARCHY_DOMINATORS_H

#include "ordering/hierarchy/hierarchy.h"

/* The dominators of each chain: the chains that every way to it passes, from one end of the
   graph. */
struct dominators {
    uint32_t *parent; /* [chains] its last dominator before itself; ORDER_NONE: none */
    uint32_t *depth;  /* [chains] how many dominators it has, itself counted */
};

/* Ways are those from the start of the graph, or else from its end. Chains at that end have no
   other dominator, and neither have those that are reached from several of them by different ways.
   O(edges * depth). */
enum status dominators_create(const struct hierarchy *hierarchy, bool from_start,
                              struct dominators *dominators, struct scratch *scratch,
                              struct error *error);

/* True if the chain is the other one, or every way to the other one passes it. O(depth). */
bool dominators_has(const struct dominators *dominators, uint32_t chain, uint32_t other);

#endif
