#ifndef MEMPLAN_PLANNING_POLICIES_WHOLE_GRAPH_H
#define MEMPLAN_PLANNING_POLICIES_WHOLE_GRAPH_H

#include "planning/liveness/result_places.h"
#include "planning/lowering/level.h"
#include "planning/policies/policy.h"

/* What policies have in common that make one level of the whole graph. */

struct policy_level {
    struct homes
        *homes; /* or NULL: only then does each tensor of a buffer keep a place of its own */
    struct liveness *liveness;
    struct level *level; /* borrows the liveness */
};

/* Leaves *made fit for policy_level_free where it fails; STATUS_USAGE where the policy makes no
   level of the whole graph. */
enum status policy_level_create(const struct policy *policy, const struct graph *graph,
                                const struct placement *placement, uint64_t alignment_bytes,
                                struct policy_level *made, struct error *error);
/* The level of policy_path with homes that have been created, which it owns from now on, also where
   it fails. */
enum status policy_level_create_homed(const struct graph *graph, const struct placement *placement,
                                      struct homes *homes, uint64_t alignment_bytes,
                                      struct policy_level *made, struct error *error);
void policy_level_free(struct policy_level *made);

/* Plans the level and fills the placement; all that is at home in the tensor of a buffer gets its
   place as well. Results as policy->place. */
enum status policy_level_plan(const struct policy_level *made, const struct level_planner *planner,
                              struct placement *placement, struct error *error);
/* Makes the level and plans it. */
enum status policy_level_place(const struct policy *policy, const struct graph *graph,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error);

#endif
