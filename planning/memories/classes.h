#ifndef MEMPLAN_PLANNING_MEMORIES_CLASSES_H
#define MEMPLAN_PLANNING_MEMORIES_CLASSES_H

#include <assert.h>

#include "planning/memories/memory_problem.h"

/* The places that the buffers of a problem need: colocated buffers form a class, which needs one
   place, as large as the largest of them. Classes are numbered by their first buffers. The members
   of class c are member[first[c]] .. member[first[c + 1] - 1], ascending. */
struct memory_classes {
    uint32_t count, memories;
    uint32_t *of;     /* [buffers] */
    uint32_t *first;  /* [count + 1] */
    uint32_t *member; /* [buffers] */
    uint64_t *size;   /* [count] bytes */
    bool *allowed;    /* [count * memories] by all members */
};

/* O(buffers * memories + colocations * log). Leaves *classes fit for memory_classes_free. */
enum status memory_classes_create(const struct memory_problem *problem,
                                  struct memory_classes *classes, struct error *error);
void memory_classes_free(struct memory_classes *classes); /* leaves empty ones */

static inline bool memory_classes_allow(const struct memory_classes *classes, uint32_t class,
                                        uint32_t memory)
{
    assert(class < classes->count && memory < classes->memories);
    return classes->allowed[(size_t) class * classes->memories + memory];
}

#endif
