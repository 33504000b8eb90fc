#ifndef MEMPLAN_PLANNING_EXECUTE_EXECUTE_H
#define MEMPLAN_PLANNING_EXECUTE_EXECUTE_H

#include "planning/execute/execution.h"
#include "planning/plan/placement.h"

/* The second check of a placement: the graph is run on an arena whose bytes are tagged with the
   tensor and the turn that wrote them. Every operator first checks that each byte of its inputs
   still holds what their producer wrote, then writes its outputs; outputs that share bytes with
   each other or with an input of the same operator are a fault too, unless the placement says that
   the output is written over that input, and lies there: then this operator checks all bytes but
   those that this output wrote. A view is another name of what it is a view of. The result of an If
   is another name of what was yielded. Where it has a place of its own, what was yielded is copied
   there, unless it lies there already; likewise the init of a carried argument, and what a turn
   yields for it, are copied into the argument's place. Shares no code with liveness.h,
   planning/verify/problem/plan.h or any policy, so that it finds a wrong lifetime even where verify
   cannot. planning/execute/samples.h and threats.h say which paths are run where there are many.
   Bytes that always hold the same tags are one cell, so tensors of any size cost the same. */

/* Fails with STATUS_BAD_INPUT where the placement is for another number of tensors. */
enum status execute_placement(const struct graph *graph, const struct placement *placement,
                              const struct execute_options *options, struct execution *execution,
                              struct error *error);

/* "damaged", "intact", or "sampled" where the graph is intact on the paths that were run but not
   all paths were run. */
const char *execute_verdict_name(const struct execution *execution);

/* What was executed, and what was found. */
struct executed {
    const struct graph *graph;
    const struct placement *placement;
    const struct execution *execution;
};

/* One sentence; names the branches taken on the path. */
enum status execute_describe(const struct executed *executed, char *text, size_t text_bytes,
                             struct error *error);

#endif
