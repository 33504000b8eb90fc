#ifndef MEMPLAN_HEURISTICS_POOLS_ORT_H
#define MEMPLAN_HEURISTICS_POOLS_ORT_H

#include "heuristics/pools/common/pools.h"

/* ONNX Runtime's AllocationPlanner (allocation_planner.cc): operators in order, each output into
   the free buffer of exactly its shape and element width that was freed last, else a new one.
   Inputs are freed in order when their last reader has run, then outputs that nobody reads. Inputs
   and outputs of the graph have buffers of their own. Where shapes are not known, equal bytes are
   one shape.

   Departure: sharing in place and views are decided before planning. O(n log n). */
enum status ort_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);

/* MemoryPatternPlanner (mem_pattern_planner.h), which traces the buffers of the first run: in
   execution order each goes into the gap between live ones that it leaves the least of (of equals
   the lowest), else above all of them. Sizes are rounded up to the option alignment. Buffers are
   those of ort_plan, in use from the first to the last tensor in them; with the option reuse 0
   every tensor is a buffer of its own. Fixed buffers count as live throughout. pool_bytes and pools
   are those of the plan it traces. O(n live). */
extern const struct planner_option ort_memory_pattern_options[];

enum status ort_memory_pattern_plan(const struct planner *planner, const struct planner_task *task,
                                    struct plan *plan, struct error *error);

/* The objects of ort_plan; pools was created. Without reuse every free buffer is one. */
enum status ort_share(const struct planner_task *task, bool reuse, struct pools *pools,
                      struct error *error);

#endif
