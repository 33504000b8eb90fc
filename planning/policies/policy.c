#include "planning/policies/policy.h"

#include <string.h>

/* To add a policy: its file with its row, the row's name here and in policy.h. */
static const struct policy *const policies[] = {&policy_flat,      &policy_sum,   &policy_max,
                                                &policy_recursive, &policy_hoist, &policy_path,
                                                &policy_select};

uint32_t policy_count(void)
{
    return sizeof policies / sizeof *policies;
}

const struct policy *policy_at(uint32_t index)
{
    return policies[index];
}

const struct policy *policy_find(const char *name)
{
    for (uint32_t i = 0; i < policy_count(); i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

enum status policy_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error)
{
    TRY(policy->place(graph, planner, placement, error));
    return placement_share(graph, placement, error);
}
