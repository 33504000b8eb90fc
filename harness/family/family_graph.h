#ifndef MEMPLAN_HARNESS_FAMILY_FAMILY_GRAPH_H
#define MEMPLAN_HARNESS_FAMILY_FAMILY_GRAPH_H

#include "harness/job/job.h"
#include "planning/family/family.h"
#include "planning/policies/whole_graph.h"

/* A graph whose tensors have bytes that depend on parameters, and the problem that a policy makes
   of it. What the policy may choose (what is written in place, where a result is read) is chosen
   once, at the greatest sizes, and kept for all. */
struct family_graph {
    const struct instance *graph;
    const struct policy *policy;
    struct placement *placement; /* says what is in place; it has no offsets */
    struct policy_level made;    /* at the greatest sizes */
    /* The family, under the name of the graph, with the buffers of the level. A buffer is taken
       whole wherever it is used. */
    struct instance *lowered;
    /* The family asks for more than the policy does: buffers are used in part, there is a choice,
       or the level is cautious. A bound on plans of the family is then no bound on plans of the
       graph. */
    bool asks_more;
};

/* Uses instance, policy (NULL: flat, or streams), inplace and alignment_bytes of the job. An output
   is written in place only where both sizes are the same expression. STATUS_USAGE where the policy
   makes no problem of the whole graph, is unsafe, or takes several streams for one. Leaves *made
   fit for family_graph_clear. */
enum status family_graph_create(const struct job *job, struct family_graph *made,
                                struct error *error);
void family_graph_clear(struct family_graph *made);

/* Builds the graph at a point, places its tensors by the orientation of the family's buffers, adds
   the waits with which the policy launches such a placement, checks them along the paths and
   executes them there. *intact is false where a value was overwritten. The seed is that of the
   sample where there are too many paths. */
enum status family_graph_execute(const struct family_graph *family,
                                 const struct orientation *orientation, const uint64_t *point,
                                 uint64_t seed, bool *intact, struct error *error);

#endif
