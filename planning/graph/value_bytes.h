#ifndef MEMPLAN_PLANNING_GRAPH_VALUE_BYTES_H
#define MEMPLAN_PLANNING_GRAPH_VALUE_BYTES_H

#include "planning/graph/graph.h"

/* How many bytes the value of each tensor has on the path on which it has most. They are its own
   bytes, except for the result of an If in the arena, which is as large as what the taken branch
   yields:

       if -> r (4 bytes)
         then yields t (2 bytes), else yields e (8 bytes)       r: 8

   The caller frees *bytes, [tensors], with memory_free. O(graph). */
enum status value_bytes_create(const struct graph *graph, uint64_t **bytes, struct error *error);

/* How many bytes a place for each tensor has on any path: its own bytes, and for the result of an
   If also those of a place for whatever its branches yield. As value_bytes_create. */
enum status place_bytes_create(const struct graph *graph, uint64_t **bytes, struct error *error);

#endif
