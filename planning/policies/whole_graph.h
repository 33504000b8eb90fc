#ifndef MEMPLAN_PLANNING_POLICIES_WHOLE_GRAPH_H
#define MEMPLAN_PLANNING_POLICIES_WHOLE_GRAPH_H

#include "planning/liveness/result_places.h"
#include "planning/lowering/level.h"
#include "planning/policies/policy.h"

/* What policies have in common that make one level of the whole graph. */

struct policy_level {
    struct result_places *places; /* or NULL, where each buffer holds one tensor and those written
                                     over it */
    struct liveness *liveness;
    struct level *level; /* borrows the liveness */
};

/* Leaves *made fit for policy_level_free where it fails; STATUS_USAGE where the policy makes no
   level of the whole graph. */
enum status policy_level_create(const struct policy *policy, const struct policy_input *input,
                                struct policy_level *made, struct error *error);
/* The level of policy_path with places that have been created, which it owns from now on, also
   where it fails. */
enum status policy_level_create_in_places(const struct policy_input *input,
                                          struct result_places *places, struct policy_level *made,
                                          struct error *error);
void policy_level_free(struct policy_level *made);

/* Plans the level and fills the placement; all that is in the place of the tensor of a buffer is
   placed with it. Results as policy->place. */
enum status policy_level_plan(const struct policy_level *made, const struct level_planner *planner,
                              struct placement *placement, struct error *error);
/* Makes the level and plans it. */
enum status policy_level_place(const struct policy *policy, const struct graph *graph,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error);

#endif
