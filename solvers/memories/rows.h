#ifndef MEMPLAN_SOLVERS_MEMORIES_ROWS_H
#define MEMPLAN_SOLVERS_MEMORIES_ROWS_H

#include "planning/memories/memory_planner.h"

/* The solvers of problems with several memories, as MEMORY_PLANNER(name); see
   heuristics/memories/rows.h. */
#define MEMORY_SOLVERS(MEMORY_PLANNER)                                                             \
    MEMORY_PLANNER(hitting_set)                                                                    \
    MEMORY_PLANNER(lp_rounding)                                                                    \
    MEMORY_PLANNER(choose_and_pack)                                                                \
    MEMORY_PLANNER(push_and_swap)                                                                  \
    MEMORY_PLANNER(vela_fast_storage) MEMORY_PLANNER(glpk) MEMORY_PLANNER(cbc)

extern const struct memory_planner memory_planner_hitting_set, memory_planner_lp_rounding,
    memory_planner_choose_and_pack, memory_planner_push_and_swap, memory_planner_vela_fast_storage,
    memory_planner_glpk, memory_planner_cbc;

#endif
