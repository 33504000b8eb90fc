#ifndef MEMPLAN_ORDERING_HIERARCHY_GROUPS_H
#define MEMPLAN_ORDERING_HIERARCHY_GROUPS_H

#include "ordering/hierarchy/hierarchy.h"

/* Puts chains into groups, of which none waits for itself by way of others. For each Concat, in
   stored order: what it post-dominates, with it; and of the chains behind it that it dominates
   those at whose end the fewest bytes are live, if these are at least two beside it. O(chains +
   edges) for each group, and at most a fixed number of steps in all: then no more are made. */
enum status groups_make(struct hierarchy *hierarchy, struct error *error);

#endif
