#ifndef MEMPLAN_HARNESS_EXPLANATION_WHOLE_PROBLEM_H
#define MEMPLAN_HARNESS_EXPLANATION_WHOLE_PROBLEM_H

#include "datasets/instance.h"
#include "planning/inplace/inplace.h"
#include "planning/policies/policy.h"
#include "planning/policies/whole_graph.h"

/* An instance as one problem: its own, or that of its graph under a policy that makes one. */
struct whole_problem {
    const struct problem *problem;
    struct placement *placement; /* of a graph: what is in place; nothing is placed */
    struct policy_level made;    /* of a graph; owns problem */
};

/* policy, inplace and alignment_bytes are for graphs. STATUS_USAGE where the policy plans level by
   level. Leaves *whole fit for whole_problem_clear. */
enum status whole_problem_create(const struct instance *instance, const struct policy *policy,
                                 const struct inplace_choice *inplace, uint64_t alignment_bytes,
                                 struct whole_problem *whole, struct error *error);
void whole_problem_clear(struct whole_problem *whole);

#endif
