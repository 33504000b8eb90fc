#ifndef MEMPLAN_PLANNING_MEMORIES_TRAFFIC_H
#define MEMPLAN_PLANNING_MEMORIES_TRAFFIC_H

#include "planning/plan/placement.h"

/* How many bytes of each tensor a run of the graph reads and writes on average, as docs/memories.md
   says: what operators read and write, as often as they run. */
struct tensor_traffic {
    uint64_t *read_bytes, *write_bytes; /* [tensors] 0 for one without a place */
};

/* The placement says which tensors have a place, which are written over another one, and which of
   those are views. O(graph). Leaves *traffic fit for tensor_traffic_free. */
enum status tensor_traffic_create(const struct graph *graph, const struct placement *placement,
                                  struct tensor_traffic *traffic, struct error *error);
void tensor_traffic_free(struct tensor_traffic *traffic);

/* How often each operator runs on average; runs[operators] is filled in. O(graph). */
void traffic_count_runs(const struct graph *graph, double *runs);

#endif
