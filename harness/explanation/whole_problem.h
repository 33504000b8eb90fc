#ifndef MEMPLAN_HARNESS_EXPLANATION_WHOLE_PROBLEM_H
#define MEMPLAN_HARNESS_EXPLANATION_WHOLE_PROBLEM_H

#include "harness/job/job.h"
#include "planning/policies/whole_graph.h"

/* An instance as one problem: its own, or that of its graph under a policy that makes one. */
struct whole_problem {
    const struct problem *problem;
    struct placement *placement; /* of a graph: what is in place; nothing is placed */
    struct policy_level made;    /* of a graph; owns problem */
};

/* Of the job only instance, policy, inplace and alignment_bytes matter, and of these only the first
   where the instance is a problem. STATUS_USAGE where the policy plans level by level. Leaves
   *whole fit for whole_problem_clear. */
enum status whole_problem_create(const struct job *job, struct whole_problem *whole,
                                 struct error *error);
void whole_problem_clear(struct whole_problem *whole);

#endif
