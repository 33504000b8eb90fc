#ifndef MEMPLAN_PLANNING_GRAPH_COPY_ENGINE_H
#define MEMPLAN_PLANNING_GRAPH_COPY_ENGINE_H

#include "planning/graph/graph.h"

/* A new graph of one of one stream in which weights are loaded by operators on a stream of their
   own, "copy": an operator with weights reads a tensor of as many bytes, which a load operator
   writes, in its region and right before it on the list. The loads of a region follow each other;
   one starts when the weighted operator that stands `ahead` before its own has ended, with 1 right
   after the one before, with 2 while that computes. Weights are no weights any more, but tensors in
   the arena. The caller frees it. `ahead` is at least 1. STATUS_BAD_INPUT where "NAME/weights" is
   the name of a tensor already. O(size of the graph). */
enum status graph_add_copy_engine(const struct graph *graph, uint32_t ahead, struct graph **made,
                                  struct error *error);

#endif
