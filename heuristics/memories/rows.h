#ifndef MEMPLAN_HEURISTICS_MEMORIES_ROWS_H
#define MEMPLAN_HEURISTICS_MEMORIES_ROWS_H

#include "planning/memories/memory_planner.h"

/* The heuristics for problems with several memories, as MEMORY_PLANNER(name): each is the `const
   struct memory_planner memory_planner_NAME` of a source file here. To add one: such a struct, and
   a row here. */
#define MEMORY_HEURISTICS(MEMORY_PLANNER)                                                          \
    MEMORY_PLANNER(first_fit)                                                                      \
    MEMORY_PLANNER(canonical_greedy)                                                               \
    MEMORY_PLANNER(promote_repair)                                                                 \
    MEMORY_PLANNER(cypress_relaxation)                                                             \
    MEMORY_PLANNER(executorch_banked)                                                              \
    MEMORY_PLANNER(usmp_pools)                                                                     \
    MEMORY_PLANNER(ggml_chunks)                                                                    \
    MEMORY_PLANNER(xla_benefit)                                                                    \
    MEMORY_PLANNER(best_density)                                                                   \
    MEMORY_PLANNER(ruin_recreate)

#define MEMORY_PLANNER_DECLARE(name) extern const struct memory_planner memory_planner_##name;
MEMORY_HEURISTICS(MEMORY_PLANNER_DECLARE)
#undef MEMORY_PLANNER_DECLARE

#endif
