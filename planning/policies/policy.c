#include "planning/policies/policy.h"

#include "core/rows.h"

/* To add a policy: its file with its row, the row's name here and in policy.h. */
static const struct policy *const policies[] = {&policy_flat,      &policy_sum,   &policy_max,
                                                &policy_recursive, &policy_hoist, &policy_path,
                                                &policy_select};

ROWS_DEFINE_POINTERS(policy, struct policy, policies);
ROWS_DEFINE_FIND(policy, struct policy);

enum status policy_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error)
{
    TRY(policy->place(graph, planner, placement, error));
    return placement_share(graph, placement, error);
}
