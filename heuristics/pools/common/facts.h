#ifndef MEMPLAN_HEURISTICS_POOLS_COMMON_FACTS_H
#define MEMPLAN_HEURISTICS_POOLS_COMMON_FACTS_H

#include "planning/lowering/level.h"
#include "planning/plan/planner.h"

/* What some pool planners want to know of a buffer besides its bytes and steps. It comes from the
   graph. Where several tensors share a place, the first of them stands for the buffer. */
struct pool_fact {
    const struct graph_tensor *tensor; /* NULL for a block and where there is no graph */
    uint64_t elements;                 /* 0 where unknown */
    uint32_t writer, reader; /* operators that run at its first and last step, or GRAPH_NONE */
    uint32_t output;         /* which of the writer's outputs it is; POOL_FACT_NOWHERE if none */
    /* Which of the reader's inputs it is, the last of several; POOL_FACT_NOWHERE if none. */
    uint32_t input;
    /* Whether it is an input of the graph, and whether it is an output of the graph. */
    bool variable, result;
};

#define POOL_FACT_NOWHERE UINT32_MAX

/* Makes facts[buffers] in the task's scratch. Without task->level nothing is known. O(graph +
   buffers). */
enum status pool_facts_create(const struct planner_task *task, struct pool_fact **facts,
                              struct error *error);

/* Fills rank[buffers] with the order in which buffers are released that end at the same step: in
   the order in which the reader reads them. Outputs that are never read come in their own order,
   after these or, with unread_first, before them. */
void pool_facts_rank_releases(const struct problem *problem, const struct pool_fact *facts,
                              bool unread_first, uint32_t *rank);

#endif
