#ifndef MEMPLAN_API_GRAPH_H
#define MEMPLAN_API_GRAPH_H

#include "harness/job/job.h"
#include "memplan/memplan.h"

/* The graph of a caller's JSON, and the job that its other fields describe, without a planner. */
struct api_graph {
    struct instance instance;
    struct job job;
    char name[8]; /* of the instance */
};

/* Reads the graph and checks the other fields. STATUS_BAD_INPUT says what is wrong, with the line
   where it is in the JSON. The struct may not be moved; the caller clears it, also after an
   error. */
enum status api_graph_create(const struct memplan_graph *given, struct api_graph *graph,
                             struct error *error);
void api_graph_clear(struct api_graph *graph);

#endif
