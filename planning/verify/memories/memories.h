#ifndef MEMPLAN_PLANNING_VERIFY_MEMORIES_MEMORIES_H
#define MEMPLAN_PLANNING_VERIFY_MEMORIES_MEMORIES_H

#include "planning/memories/memory_plan.h"

/* Checks a plan with several memories against its problem with code that shares nothing with any
   planner: memories allowed, capacities, alignments, chunks, reserved ranges, colocations, pins,
   separations, and that no two buffers that are live at once share a byte of a memory. */

struct memory_verdict {
    bool valid;
    char text[512]; /* what is wrong, in a sentence; or "valid" */
    uint64_t cost;  /* of a valid plan: its traffic and the penalties that it pays */
};

/* O(n log n + penalties + pairs of buffers that share bytes). Fails only for lack of memory. */
enum status verify_memories(const struct memory_problem *problem, const struct memory_plan *plan,
                            struct memory_verdict *verdict, struct error *error);

#endif
