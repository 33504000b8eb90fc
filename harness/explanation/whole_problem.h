#ifndef MEMPLAN_HARNESS_EXPLANATION_WHOLE_PROBLEM_H
#define MEMPLAN_HARNESS_EXPLANATION_WHOLE_PROBLEM_H

#include "harness/job/job.h"
#include "planning/policies/whole_graph.h"

/* An instance as a single problem: its own, or the one that a policy makes of its graph. */
struct whole_problem {
    const struct problem *problem;
    struct placement *placement; /* only for a graph: says what is in place; it has no offsets */
    struct policy_level made;    /* only for a graph: owns the problem */
};

/* Uses only instance, policy, inplace and alignment_bytes of the job, and only the instance where
   that is a problem. STATUS_USAGE where the policy plans level by level. Leaves *whole fit for
   whole_problem_clear. */
enum status whole_problem_create(const struct job *job, struct whole_problem *whole,
                                 struct error *error);
void whole_problem_clear(struct whole_problem *whole);

#endif
