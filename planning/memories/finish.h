#ifndef MEMPLAN_PLANNING_MEMORIES_FINISH_H
#define MEMPLAN_PLANNING_MEMORIES_FINISH_H

#include "planning/memories/memory_problem.h"

/* Where a problem is wrong: an item of one of its lists. */
enum memory_list {
    MEMORY_LIST_WHOLE,
    MEMORY_LIST_MEMORIES,
    MEMORY_LIST_RESERVED,
    MEMORY_LIST_BUFFERS,
    MEMORY_LIST_PENALTIES,
    MEMORY_LIST_SEPARATIONS,
    MEMORY_LIST_COLOCATIONS,
    MEMORY_LIST_EXCLUSIONS,
    MEMORY_LIST_PINS,
};
struct memory_fault {
    enum memory_list list;
    uint32_t index;
};

/* Checks what the parts say of each other, see docs/memories.md. Fails with STATUS_BAD_INPUT, what
   was found and what was expected, and says in *fault where. O(size + pins^2). */
enum status memory_problem_finish(struct memory_problem *problem, struct memory_fault *fault,
                                  struct error *error);

#endif
