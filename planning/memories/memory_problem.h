#ifndef MEMPLAN_PLANNING_MEMORIES_MEMORY_PROBLEM_H
#define MEMPLAN_PLANNING_MEMORIES_MEMORY_PROBLEM_H

#include <assert.h>

#include "planning/problem/pair.h"

/* A problem with several memories: which buffer goes into which of them, and where. Its buffers
   with their sizes, alignments and segments are those of an ordinary problem, which it owns; see
   docs/memories.md for what a plan has to keep and what it costs.

   Costs are counted in thousandths of the unit in which files give them, so that a byte may cost a
   fraction of a nanosecond and sums stay exact. */

#define MEMORY_NONE UINT32_MAX
enum { MEMORY_COST_PARTS = 1000 };

struct memory {
    uint64_t capacity_bytes;        /* UINT64_MAX: none */
    uint64_t alignment;             /* divides every offset in it; at least 1 */
    uint64_t chunk_bytes;           /* no buffer crosses a multiple of it; 0: it is in one piece */
    uint64_t read_cost, write_cost; /* of a byte */
};

/* Bytes [lower, upper) of a memory in which nothing lies. */
struct memory_range {
    uint32_t memory;
    uint64_t lower, upper;
};

/* The cost of two buffers sharing a byte. */
struct memory_penalty {
    uint32_t first, second;
    uint64_t cost;
};

/* The place of a buffer. Where it is exclusive, no other buffer ever has one of its bytes. */
struct memory_pin {
    uint32_t buffer, memory;
    uint64_t offset;
    bool exclusive;
};

/* The arrays are the caller's to fill, before memory_problem_finish (finish.h). */
struct memory_problem {
    struct problem *problem;
    struct names names; /* [memories] */
    uint32_t memories;
    uint32_t reserved_ranges, penalties, separations, colocations, exclusions, pins;
    struct memory *memory;              /* [memories] */
    struct memory_range *reserved;      /* [reserved_ranges] */
    bool *allowed;                      /* [buffers * memories] see memory_problem_allows */
    uint64_t *read_bytes, *write_bytes; /* [buffers] of all accesses while it lives */
    struct memory_penalty *penalty;     /* [penalties] */
    struct problem_pair *separation;    /* [separations] never share a byte of a memory */
    struct problem_pair *colocation;    /* [colocations] lie in the same place */
    struct problem_pair *exclusion;     /* [exclusions] are never live at once, whatever their
                                           segments say */
    struct memory_pin *pin;             /* [pins] */
};

/* Takes the finished plain problem over, also where it fails. Every buffer is allowed everywhere,
   and is written and read once. */
enum status memory_problem_create(struct memory_problem **created, struct problem *problem,
                                  uint32_t memories, struct error *error);
void memory_problem_free(struct memory_problem *problem); /* NULL is fine */
SCOPED_POINTER(struct memory_problem, memory_problem_release, memory_problem_free);

static inline bool memory_problem_allows(const struct memory_problem *problem, uint32_t buffer,
                                         uint32_t memory)
{
    assert(buffer < problem->problem->buffers && memory < problem->memories);
    return problem->allowed[(size_t)buffer * problem->memories + memory];
}

/* The cost of the buffer's traffic if it lies in the memory; false where that is 2^64 or more,
   which does not occur in a finished problem. */
bool memory_problem_find_traffic(const struct memory_problem *problem, uint32_t buffer,
                                 uint32_t memory, uint64_t *cost);
/* The same cost in a finished problem, where it is always known. */
uint64_t memory_problem_traffic(const struct memory_problem *problem, uint32_t buffer,
                                uint32_t memory);

#endif
