#ifndef MEMPLAN_DATASETS_SIDE_BY_SIDE_COPY_ENGINE_H
#define MEMPLAN_DATASETS_SIDE_BY_SIDE_COPY_ENGINE_H

#include "planning/graph/graph.h"

/* Makes a new graph from a graph of one stream. In the new graph, operators on a second stream,
   "copy", load the weights: where an operator had weights it reads a tensor of as many bytes, which
   a load operator writes, in the same region and right before it on the list. So weights become
   tensors in the arena. The loads of a region run one after another. Each starts when the weighted
   operator that stands `ahead` positions before its own has ended: with `ahead` 1 this is the
   weighted operator right before it, with 2 the load runs while that operator computes. `ahead` is
   at least 1. The caller frees the graph. STATUS_BAD_INPUT where a tensor has the name
   "NAME/weights" already. O(size of the graph). */
enum status graph_add_copy_engine(const struct graph *graph, uint32_t ahead, struct graph **made,
                                  struct error *error);

#endif
