#ifndef MEMPLAN_ORDERING_HIERARCHY_DOMINATORS_H
#define MEMPLAN_ORDERING_HIERARCHY_DOMINATORS_H

#include "ordering/hierarchy/hierarchy.h"

/* The dominators of each chain: the chains that every way from one end of the graph to it
   passes. */
struct dominators {
    uint32_t *parent; /* [chains] the last dominator before the chain itself; ORDER_NONE: none */
    uint32_t *depth;  /* [chains] how many dominators it has, itself counted */
};

/* Ways begin at the start of the graph or, without from_start, at its end. A chain at that end has
   only itself as dominator, and so has a chain to which ways without a common chain lead. O(edges *
   depth). */
enum status dominators_create(const struct hierarchy *hierarchy, bool from_start,
                              struct dominators *dominators, struct scratch *scratch,
                              struct error *error);

/* Whether the chain is the other one, or every way to the other one passes it. O(depth). */
bool dominators_has(const struct dominators *dominators, uint32_t chain, uint32_t other);

#endif
