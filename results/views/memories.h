#ifndef MEMPLAN_RESULTS_VIEWS_MEMORIES_H
#define MEMPLAN_RESULTS_VIEWS_MEMORIES_H

/* The measures of plans for problems with several memories: for each instance and planner (the
   variant) "optimal" and "infeasible" (1 where that is proved), "cost_bound", "wall_ns" and, where
   there is a plan, "cost" and for each memory "NAME peak_bytes" and "NAME capacity_bytes", the
   latter where it has one. Costs are in thousandths. */
#define MEMORIES_TOPIC "memories"
#define MEMORIES_PEAK "memory_peak_bytes"
#define MEMORIES_CAPACITY "memory_capacity_bytes"

/* The measures of plans with moves: for each instance and, as the variant, "PLANNER CAPACITY", the
   latter of the first memory with MOVES_DIGITS digits: "capacity_bytes" unless it has none,
   "total_ps", "bound_ps", "still_ps" where there is a plan without moves, "transfers",
   "transferred_bytes" and "wall_ns". */
#define MOVES_TOPIC "moves"
enum { MOVES_DIGITS = 15 };

#endif
