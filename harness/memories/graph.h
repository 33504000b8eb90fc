#ifndef MEMPLAN_HARNESS_MEMORIES_GRAPH_H
#define MEMPLAN_HARNESS_MEMORIES_GRAPH_H

#include "harness/files/graph_memories.h"
#include "harness/memories/run.h"

/* What the two checks of a graph's plan say, in a sentence each; "" where there is no plan. */
struct memory_graph_checks {
    char verified[512], executed[512];
    bool sampled; /* neither found a fault, and one of them looked at some paths only */
};

/* memory_run_planner for a graph with the memories of a profile. A plan is put into made->outcome,
   verified along the paths of the graph and executed on tagged bytes; one that either refuses, or
   that costs other than it says, is STATUS_INTERNAL. Claims that hold for the problem alone are
   taken back. */
enum status memory_run_graph(struct graph_memories *made, const struct memory_planner *planner,
                             const struct memory_run *run, struct memory_plan *plan,
                             struct memory_graph_checks *checks, struct error *error);

#endif
