#ifndef MEMPLAN_HEURISTICS_POOLS_COMMON_FACTS_H
#define MEMPLAN_HEURISTICS_POOLS_COMMON_FACTS_H

#include "planning/lowering/level.h"
#include "planning/plan/planner.h"

/* What some pool planners want to know of a buffer besides its bytes and steps, from the graph. Of
   tensors that are in one place, the first is the buffer's. */
struct pool_fact {
    const struct graph_tensor *tensor; /* NULL for a block and where there is no graph */
    uint64_t elements;                 /* 0 where unknown */
    uint32_t writer, reader; /* operators that run at its first and last step, or GRAPH_NONE */
    uint32_t output;         /* its place among the writer's outputs, POOL_FACT_NOWHERE if none */
    uint32_t input;          /* the last among the reader's inputs, POOL_FACT_NOWHERE if none */
    bool variable, result;   /* input, output of the graph */
};

#define POOL_FACT_NOWHERE UINT32_MAX

/* facts[buffers]; the caller frees them with memory_free. Without task->level nothing is known.
   O(graph + buffers). */
enum status pool_facts_create(const struct planner_task *task, struct pool_fact **facts,
                              struct error *error);

/* In which order the buffers that end at the same step are released: as the reader reads them, and
   its outputs that are never read, in their order, after these or (unread_first) before.
   rank[buffers]. */
void pool_facts_rank_releases(const struct problem *problem, const struct pool_fact *facts,
                              bool unread_first, uint32_t *rank);

#endif
