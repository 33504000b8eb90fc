#ifndef MEMPLAN_PLANNING_EXECUTE_MEMORIES_H
#define MEMPLAN_PLANNING_EXECUTE_MEMORIES_H

#include "planning/execute/execution.h"
#include "planning/memories/memory_problem.h"
#include "planning/plan/placement.h"

/* Runs a graph on an arena of tagged bytes for each memory, as execute_placement does on one. The
   offsets of the placement are addresses (planning/memories/address.h), so the arenas lie apart.
   Before anything runs, each tensor has to be on bytes that one block of its memory offers: a
   chunk, or all of the memory, within the capacity and between reserved ranges; and aligned as its
   memory asks. alignment_bytes as in verify_alignment. */
enum status execute_memories(const struct graph *graph, const struct memory_problem *memories,
                             uint64_t alignment_bytes, const struct placement *placement,
                             const struct execute_options *options, struct execution *execution,
                             struct error *error);

#endif
