#ifndef MEMPLAN_PLANNING_MEMORIES_NODE_CONFLICTS_H
#define MEMPLAN_PLANNING_MEMORIES_NODE_CONFLICTS_H

#include "planning/memories/model.h"

/* Makes the lists of conflicts of a model whose nodes are made: pairs that are live at once and no
   exclusion, separations, and what exclusive pins keep away. O(conflicts + nodes * exclusive
   pins), times the sizes of classes where there are exclusions. */
enum status node_conflicts_make(struct memory_model *model, struct error *error);

#endif
