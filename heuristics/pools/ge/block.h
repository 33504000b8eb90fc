#ifndef MEMPLAN_HEURISTICS_POOLS_GE_BLOCK_H
#define MEMPLAN_HEURISTICS_POOLS_GE_BLOCK_H

#include "planning/plan/planner.h"

/* CANN GE's BlockMemAssigner (hicann/ge compiler/graph/build/memory) in its two levels.

   First, in execution order, each buffer asks for a block of its size, rounded up to the option
   alignment and, where ranges are used, to the ceiling of its range; a free block is taken only if
   it has exactly that size, the one freed last or first; else a new one is made. Then whole blocks
   are nested into others (heuristics/pools/ge/nest.h) and shrunk to what is in them.

   Assigners: "binary" uses no ranges, "max" has one range, the largest size; both take the block
   freed last and nest ascending. GE runs both and keeps the smaller total, the first of equals; in
   its memory priority mode also the binary ranges of heuristics/pools/ge/ranges.h, ascending and
   descending, the block freed first and last.

   Departures: one stream, one memory type, no continuous or zero copy blocks; blocks are multiples
   of the alignments of all buffers. O(n log n + blocks * n log n). */
extern const struct planner_option ge_block_options[];      /* alignment */
extern const struct planner_option ge_block_best_options[]; /* alignment, memory_priority */

enum ge_ranges_used { GE_RANGES_NONE, GE_RANGES_ONE, GE_RANGES_BINARY };

struct ge_assigner {
    enum ge_ranges_used ranges;
    bool ascending, first_released;
};

/* planner->rule is one. */
enum status ge_block_plan(const struct planner *planner, const struct planner_task *task,
                          struct plan *plan, struct error *error);

/* The smallest total of all. */
enum status ge_block_best_plan(const struct planner *planner, const struct planner_task *task,
                               struct plan *plan, struct error *error);

#endif
