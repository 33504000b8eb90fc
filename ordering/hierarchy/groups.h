#ifndef MEMPLAN_ORDERING_HIERARCHY_GROUPS_H
#define MEMPLAN_ORDERING_HIERARCHY_GROUPS_H

#include "ordering/hierarchy/hierarchy.h"

/* Puts chains into groups, none of which waits for itself through others. Each Concat, in stored
   order, makes two groups: one of itself and the chains that it post-dominates; and, if there are
   at least two, one of chains behind it that it dominates, chosen so that the fewest bytes are live
   at their end. O(chains + edges) for each group. After a fixed number of steps in all no more
   groups are made. */
enum status groups_make(struct hierarchy *hierarchy, struct scratch *scratch, struct error *error);

#endif
