#ifndef MEMPLAN_PLANNING_EXECUTE_EXECUTE_H
#define MEMPLAN_PLANNING_EXECUTE_EXECUTE_H

#include "planning/execute/execution.h"
#include "planning/plan/placement.h"

/* The second check of a placement: the graph is run on an arena whose bytes are tagged with the
   tensor and the turn that wrote them. Every operator first checks that each byte of its inputs
   still holds what their producer wrote, then writes its outputs; outputs that share bytes with
   each other or with an input of the same operator are a fault too, unless the placement says that
   the output is written over that input, and lies there: then the bytes that this output
   wrote are not looked at again by this operator, while everything else is. A view is another name
   of what it is a view of. The result of an If is another name of what was yielded, or where it has
   a place of its own a copy of it there, unless it lies there already; so is a carried argument a
   copy of its init and of what a turn yields for it. Shares no code with
   liveness.h, planning/verify/plan.h or any policy, so that a wrong lifetime is caught here even
   where verify cannot know.

   Which paths are run where they are many: planning/execute/samples.h and threats.h.

   Bytes that always hold the same tags are one cell, so any size of tensor costs the same. */

/* Fails with STATUS_BAD_INPUT where the placement is for another number of tensors. */
enum status execute_placement(const struct graph *graph, const struct placement *placement,
                              const struct execute_options *options, struct execution *execution,
                              struct error *error);

/* "damaged", "intact", or "sampled" where it is intact on the paths that were run, which are not
   all. */
const char *execute_verdict_name(const struct execution *execution);

/* What was executed, and what came of it. */
struct executed {
    const struct graph *graph;
    const struct placement *placement;
    const struct execution *execution;
};

/* One sentence; names the branches taken on the path. */
enum status execute_describe(const struct executed *executed, char *text, size_t text_bytes,
                             struct error *error);

#endif
