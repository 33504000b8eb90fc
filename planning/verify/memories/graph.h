#ifndef MEMPLAN_PLANNING_VERIFY_MEMORIES_GRAPH_H
#define MEMPLAN_PLANNING_VERIFY_MEMORIES_GRAPH_H

#include "planning/plan/placement.h"
#include "planning/verify/memories/memories.h"

/* Checks a placement in several memories, whose offsets are addresses
   (planning/memories/address.h), against the graph itself: each tensor lies in a memory, within its
   capacity, in one chunk, aligned and outside of reserved ranges; and along every path no tensor is
   written over one that is still needed (verify_paths). alignment_bytes as in verify_alignment. The
   cost is that of the traffic, counted here by a walk of its own.

   Of the memories only names, memories and reserved ranges are looked at. */
struct memory_rules {
    const struct memory_problem *memories;
    uint64_t alignment_bytes;
};

/* *sampled: the ways through the graph are too many, and no fault was found on those looked at. */
enum status verify_graph_memories(const struct graph *graph, const struct memory_rules *rules,
                                  const struct placement *placement, bool *sampled,
                                  struct memory_verdict *verdict, struct error *error);

#endif
