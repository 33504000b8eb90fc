#ifndef MEMPLAN_DATASETS_SIDE_BY_SIDE_ASSIGN_STREAMS_H
#define MEMPLAN_DATASETS_SIDE_BY_SIDE_ASSIGN_STREAMS_H

#include "planning/graph/graph.h"

/* Puts the operators of a graph of one stream on several, and lets readers wait for what they read.
   Dependences that follow from others are left out. Of the rest as many as possible are chosen, at
   most one into and one out of each operator (a bipartite matching), and operators that are joined
   by chosen dependences run on one stream. Then no operator waits for one that it does not depend
   on, and there are as few waits as possible (Kwon et al., "Nimble", NeurIPS 2020). Where that
   makes more than `most` streams, which is at least 1, the streams are dealt out over `most`
   streams in turn. Each region is handled by itself; its first stream is that of the operator
   around it. STATUS_BAD_INPUT for more than GRAPH_MOST_ASSIGNED operators of one region.
   O(operators * dependences). */
enum { GRAPH_MOST_ASSIGNED = 20000 };
enum status graph_assign_streams(struct graph *graph, uint32_t most, struct error *error);

/* The same by a simpler rule: an operator runs on the stream of the only operator that it depends
   on, if no other operator depends on that operator; each other operator is put on the next stream
   in turn. O(uses * depth of regions). */
enum status graph_deal_streams(struct graph *graph, uint32_t most, struct error *error);

#endif
