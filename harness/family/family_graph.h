#ifndef MEMPLAN_HARNESS_FAMILY_FAMILY_GRAPH_H
#define MEMPLAN_HARNESS_FAMILY_FAMILY_GRAPH_H

#include "datasets/instance.h"
#include "planning/family/family.h"

/* Graphs whose tensors have bytes that depend on parameters. */

/* The problem of such a graph under the policy flat, as an instance of its own with the same name.
   Its buffers are in the order of the graph's flat problem at every point. The caller frees it. */
enum status family_graph_lower(const struct instance *graph, struct instance **problem,
                               struct error *error);

/* Builds the graph at a point, places its tensors by the orientation of the lowered problem's
   buffers, and executes it along its paths. *intact is false where a value was overwritten. */
struct family_graph_run {
    const struct instance *graph;
    const struct problem *lowered;
    const struct orientation *orientation;
    uint64_t seed; /* of the sample where there are too many paths */
};
enum status family_graph_execute(const struct family_graph_run *run, const uint64_t *point,
                                 bool *intact, struct error *error);

#endif
