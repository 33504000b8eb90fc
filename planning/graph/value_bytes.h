#ifndef MEMPLAN_PLANNING_GRAPH_VALUE_BYTES_H
#define MEMPLAN_PLANNING_GRAPH_VALUE_BYTES_H

#include "planning/graph/graph.h"

/* How many bytes the value of each tensor has on the path on which it has most. They are its own
   bytes, except for the result of an If in the arena, which is as large as what the taken branch
   yields:

       if -> r (4 bytes)
         then yields t (2 bytes), else yields e (8 bytes)       r: 8

   A place for the result is as large, whatever the graph says of the result's own bytes.
   The caller frees *bytes, [tensors], with memory_free. O(graph). */
enum status value_bytes_create(const struct graph *graph, uint64_t **bytes, struct error *error);

/* The same into bytes, [tensors], for the way, [operators], of planning/graph/ways.h, on which some
   results have fewer; for all ways where that is NULL. O(graph). */
void value_bytes_find(const struct graph *graph, const uint32_t *way, uint64_t *bytes);

/* Which of these values have fewer bytes on some path. The caller frees *varies, [tensors], with
   memory_free. O(graph). */
enum status value_bytes_vary_create(const struct graph *graph, const uint64_t *bytes, bool **varies,
                                    struct error *error);

/* Whether any does. O(graph). */
enum status value_bytes_any_varies(const struct graph *graph, bool *any, struct error *error);

#endif
