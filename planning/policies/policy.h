#ifndef MEMPLAN_PLANNING_POLICIES_POLICY_H
#define MEMPLAN_PLANNING_POLICIES_POLICY_H

#include "planning/liveness/liveness.h"
#include "planning/plan/placement.h"

/* How control flow becomes problems, and how the plans of these become one placement. Each policy
   is one file and one row of the table. */

struct level_planner;
struct policy_level;

enum policy_flag {
    POLICY_UNSAFE = 1, /* its placements may be wrong; checks must catch them */
    POLICY_PATHS = 2,  /* tensors are live as path_liveness.h says */
};

struct policy {
    const char *name;
    const char *title;  /* one line */
    const char *source; /* where the rule comes from */
    unsigned flags;     /* of policy_flag */
    /* Its plans are this policy's as well, and the better ones now and then; NULL for none. */
    const struct policy *alternative;
    /* Makes one level of the whole graph, planning/policies/whole_graph.h; NULL where the policy
       plans level by level. The placement says only what is in place. */
    enum status (*make_level)(const struct graph *graph, const struct placement *placement,
                              uint64_t alignment_bytes, struct policy_level *made,
                              struct error *error);
    /* Fills a placement created for the graph, whose overwrites say which tensors get no place of
       their own (liveness_create_shared honours them). STATUS_OK whenever placement->status says
       how it ended; STATUS_NO where a level's plan fails verify_plan. */
    enum status (*place)(const struct graph *graph, const struct level_planner *planner,
                         struct placement *placement, struct error *error);
};

uint32_t policy_count(void);
const struct policy *policy_at(uint32_t index);
const struct policy *policy_find(const char *name); /* NULL if there is none */

/* policy->place, and then the offsets of what placement->overwrites says is in another one's place.
 */
enum status policy_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error);

extern const struct policy policy_flat, policy_sum, policy_max, policy_recursive, policy_hoist,
    policy_path, policy_select;

#endif
