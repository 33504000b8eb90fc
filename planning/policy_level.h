#ifndef MEMPLAN_PLANNING_POLICY_LEVEL_H
#define MEMPLAN_PLANNING_POLICY_LEVEL_H

#include "planning/homes.h"
#include "planning/level.h"

/* What policies have in common that make one level of the whole graph: plans it and fills the
   placement. With homes, all that is at home in the tensor of a buffer gets its place as well; else
   homes is NULL. Results as policy->place. */
enum status policy_level_place(const struct level *level, const struct homes *homes,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error);

#endif
