#include "planning/policies/policy.h"

#include <assert.h>

#include "core/rows.h"
#include "planning/policies/blocks.h"
#include "planning/policies/choices.h"
#include "planning/policies/reuse_waits.h"
#include "planning/policies/streams.h"

#define POLICY(id, ...) const struct policy policy_##id = {.name = #id, __VA_ARGS__};
#include "planning/policies/policies.def"
#undef POLICY

static const struct policy *const policies[] = {
#define POLICY(id, ...) &policy_##id,
#include "planning/policies/policies.def"
#undef POLICY
};

ROWS_DEFINE_POINTERS(policy, struct policy, policies);
ROWS_DEFINE_FIND(policy, struct policy);
ROWS_DEFINE_REFUSE(policy, "policy", "memplan list policies");

bool policy_suits(const struct policy *policy, const struct graph *graph)
{
    return graph_has_streams(graph) == ((policy->flags & POLICY_STREAMS) != 0);
}

enum status policy_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error)
{
    assert(placement->tensors == graph->tensors);
    TRY(policy->place(policy, graph, planner, placement, error));
    return placement_share(graph, placement, error);
}
