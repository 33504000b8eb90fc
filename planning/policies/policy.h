#ifndef MEMPLAN_PLANNING_POLICIES_POLICY_H
#define MEMPLAN_PLANNING_POLICIES_POLICY_H

#include "planning/liveness/liveness.h"
#include "planning/plan/placement.h"

/* How control flow becomes problems, and how the plans of these become one placement. Each policy
   is one file and one row of policies.def. */

struct level_planner;
struct policy_level;

enum policy_flag {
    POLICY_UNSAFE = 1,  /* its placements may be wrong; checks must catch them */
    POLICY_PATHS = 2,   /* tensors are live as path_liveness.h says */
    POLICY_STREAMS = 4, /* knows that operators of different streams run side by side */
};

/* What a policy makes one level of. */
struct policy_input {
    const struct graph *graph;
    const struct placement *placement; /* of which only overwrites and is_view are read */
    uint64_t alignment_bytes;          /* of every offset; at least 1 */
};

struct policy {
    const char *name;
    const char *title;  /* one line */
    const char *source; /* where the rule comes from */
    unsigned flags;     /* of policy_flag */
    uint32_t lag;       /* private to the policy, where one file has several */
    /* Makes one level of the whole graph, planning/policies/whole_graph.h; NULL where the policy
       plans level by level. */
    enum status (*make_level)(const struct policy *policy, const struct policy_input *input,
                              struct policy_level *made, struct error *error);
    /* Fills a placement created for the graph, whose overwrites say which tensors get no place of
       their own (liveness_create_shared honours them). STATUS_OK whenever placement->status says
       how it ended; STATUS_NO where a level's plan fails verify_plan. */
    enum status (*place)(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error);
    /* The graph as it has to be launched so that the placement is right: operators wait for more,
       and may be listed in another order; tensors keep their numbers. The caller frees it. NULL
       where it is launched as it is. */
    enum status (*launch)(const struct graph *graph, const struct placement *placement,
                          struct graph **launched, struct error *error);
};

/* Whether the policy is for graphs like this one: with several streams, or with one. */
bool policy_suits(const struct policy *policy, const struct graph *graph);

uint32_t policy_count(void);
const struct policy *policy_at(uint32_t index);
const struct policy *policy_find(const char *name); /* NULL if there is none */
/* Returns STATUS_USAGE: no policy has the name; the error says which ones may be meant. */
enum status policy_refuse(const char *name, size_t length, struct error *error);

/* Calls policy->place, and then gives what overwrites another tensor the place of that one. */
enum status policy_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error);

/* Declares policy_flat and all the others of policies.def. */
#define POLICY(name) extern const struct policy policy_##name;
#include "planning/policies/policies.def"
#undef POLICY

#endif
