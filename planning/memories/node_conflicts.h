#ifndef MEMPLAN_PLANNING_MEMORIES_NODE_CONFLICTS_H
#define MEMPLAN_PLANNING_MEMORIES_NODE_CONFLICTS_H

#include "planning/memories/classes.h"

/* Which classes of a problem conflict: those that are live at once and no exclusion, separations,
   and what exclusive pins keep away. */
struct node_conflicts {
    const struct memory_problem *problem;
    const struct memory_classes *classes;
    const struct problem *nodes; /* a buffer for each class */
    bool by_pairs;               /* some that are live at once do not conflict */
    uint64_t *first;             /* [nodes + 1] into other */
    uint32_t *other;             /* those that a node conflicts with, ascending */
};

/* Fills by_pairs, first and other, which the caller frees, also after a failure. O(conflicts +
   nodes * exclusive pins), times the sizes of classes where there are exclusions. */
enum status node_conflicts_make(struct node_conflicts *lists, struct error *error);

#endif
