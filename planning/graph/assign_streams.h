#ifndef MEMPLAN_PLANNING_GRAPH_ASSIGN_STREAMS_H
#define MEMPLAN_PLANNING_GRAPH_ASSIGN_STREAMS_H

#include "planning/graph/graph.h"

/* Puts the operators of a graph of one stream on several, and lets reads wait: of the dependences
   between operators those are left out that others imply; as many of the rest as possible are
   chosen, at most one into and one out of each operator (bipartite matching), and operators that
   these join run on one stream. No operator then waits for one that it does not depend on, and
   waits are fewest (Kwon et al., "Nimble", NeurIPS 2020). Where that makes more than `most`
   streams, which is at least 1, they are put together, in turn. Each region is looked at by itself;
   its first stream is that of the operator around it. STATUS_BAD_INPUT for more than
   GRAPH_MOST_ASSIGNED operators of one region. O(operators * dependences). */
enum { GRAPH_MOST_ASSIGNED = 20000 };
enum status graph_assign_streams(struct graph *graph, uint32_t most, struct error *error);

/* The same by a simpler rule: streams take turns, and an operator goes on with the stream of the
   one operator that it depends on where nothing else depends on that. O(uses * depth of regions).
 */
enum status graph_deal_streams(struct graph *graph, uint32_t most, struct error *error);

#endif
