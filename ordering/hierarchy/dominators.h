#ifndef MEMPLAN_ORDERING_HIERARCHY_DOMINATORS_H
#define MEMPLAN_ORDERING_HIERARCHY_DOMINATORS_H

#include "ordering/hierarchy/hierarchy.h"

/* What each chain has to be reached by, from one end of the graph. */
struct dominators {
    uint32_t *parent; /* [chains] the last such chain; ORDER_NONE: none */
    uint32_t *depth;  /* [chains] how many there are, itself counted */
};

/* From the start of the graph, or from its end. Chains at the end that it is come from have none,
   and what is reached from several by different ways. O(edges * depth). Leaves *dominators fit for
   dominators_free where it fails. */
enum status dominators_create(const struct hierarchy *hierarchy, bool from_start,
                              struct dominators *dominators, struct error *error);
void dominators_free(struct dominators *dominators);

/* The chain is the other one, or has to be passed to reach it. O(depth). */
bool dominators_has(const struct dominators *dominators, uint32_t chain, uint32_t other);

#endif
