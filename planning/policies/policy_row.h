#ifndef MEMPLAN_PLANNING_POLICIES_POLICY_ROW_H
#define MEMPLAN_PLANNING_POLICIES_POLICY_ROW_H

#include "planning/liveness/liveness.h"
#include "planning/plan/placement.h"

/* How control flow becomes problems, and how their plans become one placement. Each policy is a row
   of policies.def, which says what it does. */

struct level_planner;
struct policy_level;

enum policy_flag {
    POLICY_UNSAFE = 1,  /* its placements may be wrong; checks must catch them */
    POLICY_PATHS = 2,   /* tensors are live as path_liveness.h says */
    POLICY_STREAMS = 4, /* knows that operators of different streams run side by side */
};

/* What a policy makes a level of the whole graph from. */
struct policy_input {
    const struct graph *graph;
    const struct placement *placement; /* of which only overwrites and is_view are read */
    uint64_t alignment_bytes;          /* as in level_source */
};

/* How a policy that plans regions one after another (blocks.h) treats the block of an operator. */
struct policy_blocks {
    bool side_by_side; /* regions of an operator lie one after another in its block, not on top of
                          each other */
    bool until_left;   /* a block lives only until its operator is left */
    bool hoists;       /* results of Ifs are buffers of the enclosing level, and what is written in
                          their places (planning/liveness/result_places.h) is in no block */
};

struct policy {
    const char *name;
    const char *title;  /* one line */
    const char *source; /* where the rule comes from */
    unsigned flags;     /* of policy_flag */
    struct policy_blocks blocks;
    bool selects;         /* (choices.h) a result may be read where the taken branch left it */
    bool pool_per_stream; /* (streams.h) tensors first written on different streams conflict */
    uint32_t lag; /* (streams.h) steps of the list by which bytes go later to another stream */
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
    /* Makes the graph that has to be launched so that the placement is right: its operators have
       more waits and may be listed in another order; tensors keep their numbers. The caller frees
       it. The function is NULL where the graph is launched unchanged. */
    enum status (*launch)(const struct graph *graph, const struct placement *placement,
                          struct graph **launched, struct error *error);
};

#endif
