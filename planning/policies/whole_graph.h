#ifndef MEMPLAN_PLANNING_POLICIES_WHOLE_GRAPH_H
#define MEMPLAN_PLANNING_POLICIES_WHOLE_GRAPH_H

#include "planning/liveness/result_places.h"
#include "planning/lowering/level.h"
#include "planning/policies/policy_row.h"

/* The common part of all policies that make one level of the whole graph. */

struct policy_level {
    struct result_places *places; /* NULL: a buffer holds one tensor and those written over it */
    struct liveness *liveness;
    struct level *level; /* borrows the liveness */
};

/* Leaves *made fit for policy_level_free where it fails; STATUS_USAGE where the policy makes no
   level of the whole graph. */
enum status policy_level_create(const struct policy *policy, const struct policy_input *input,
                                struct policy_level *made, struct error *error);
/* policy_level_make_flat is policy->make_level of policy_flat; policy_level_make_line does the same
   with the lifetimes that the caller has put into made->liveness. */
enum status policy_level_make_flat(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error);
enum status policy_level_make_line(const struct policy_input *input, struct policy_level *made,
                                   struct error *error);
/* Makes the level of policy_path with the given places, which *made owns from now on, also after an
   error. */
enum status policy_level_create_in_places(const struct policy_input *input,
                                          struct result_places *places, struct policy_level *made,
                                          struct error *error);
void policy_level_free(struct policy_level *made);

/* Puts a tensor where the plan has a buffer and, where places is not NULL, all other tensors in its
   place, too. */
enum status policy_level_take(const struct result_places *places, uint32_t tensor,
                              struct plan_buffer from, struct placement *placement,
                              struct error *error);
/* Plans the level and fills the placement; all that is in the place of the tensor of a buffer is
   placed with it. Results as policy->place. */
enum status policy_level_plan(const struct policy_level *made, const struct level_planner *planner,
                              struct placement *placement, struct error *error);
/* policy->place of policies that make one level of the whole graph: makes it and plans it. */
enum status policy_level_place(const struct policy *policy, const struct graph *graph,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error);

#endif
