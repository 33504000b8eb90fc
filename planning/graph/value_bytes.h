#ifndef MEMPLAN_PLANNING_GRAPH_VALUE_BYTES_H
#define MEMPLAN_PLANNING_GRAPH_VALUE_BYTES_H

#include "planning/graph/graph.h"

/* The bytes of each tensor's value, on the path on which it has most: the tensor's own bytes,
   except that the result of an If in the arena is as large as what the taken branch yields:

       if -> r (4 bytes)
         then yields t (2 bytes), else yields e (8 bytes)       r: 8

   The place of the result has that size, whatever bytes the graph names for the result itself. The
   caller frees *bytes, [tensors], with memory_free. O(graph). */
enum status value_bytes_create(const struct graph *graph, uint64_t **bytes, struct error *error);

/* Fills bytes[tensors] for one way [operators] of planning/graph/ways.h, on which some results may
   have fewer bytes; with way NULL as value_bytes_create does. O(graph). */
void value_bytes_find(const struct graph *graph, const uint32_t *way, uint64_t *bytes);

/* Which of these values have fewer bytes on some path. The caller frees *varies, [tensors], with
   memory_free. O(graph). */
enum status value_bytes_vary_create(const struct graph *graph, const uint64_t *bytes, bool **varies,
                                    struct error *error);

/* Whether any value has fewer bytes on some path. O(graph). */
enum status value_bytes_any_varies(const struct graph *graph, bool *any, struct error *error);

#endif
