#ifndef MEMPLAN_HEURISTICS_POOLS_NNVM_NNVM_H
#define MEMPLAN_HEURISTICS_POOLS_NNVM_NNVM_H

#include "planning/plan/planner.h"

/* NNVM's PlanMemory (tvm nnvm/src/pass/plan_memory.cc) with what GraphCompile and the graph runtime
   make of it.

   Operators in execution order: the outputs of one are requested largest first (by elements; of
   equals the later output first) from the free list of heuristics/pools/nnvm/pool.h, then its
   inputs are released in order where they were read for the last time, then the outputs that nobody
   reads. A buffer counts 4 bytes per element whatever its type: their sum is pool_bytes. Graph
   inputs are not planned and get an object each afterwards (DecorateMemoryPlan), which pool_bytes
   leaves out. The runtime makes an object as large as the real bytes in it, rounded up to 4: these
   are laid out.

   Where the graph is not known, buffers are requested by (first step, position), released by (last
   step, object) and count their bytes.

   Departures: lifetimes come from the problem, so a buffer of several segments or with a window
   keeps its object throughout, and sharing in place is decided before planning; a scalar counts one
   element instead of being left unplanned; a block of regions and a tensor of unknown shape count
   their bytes; operators are in the graph's order, not in depth-first order from its outputs.
   O(runs * n log n) with one run, or one per power of two up to match_range. */
extern const struct planner_option nnvm_options[];

enum status nnvm_plan(const struct planner *planner, const struct planner_task *task,
                      struct plan *plan, struct error *error);

/* GraphPlanMemory of TVM Relay (token_allocator.cc): the same with a match range of 16 and real
   bytes; outputs are requested in their order, and outputs that nobody reads are released before
   the inputs. Graph inputs have objects that are never shared and count. */
enum status relay_plan(const struct planner *planner, const struct planner_task *task,
                       struct plan *plan, struct error *error);

#endif
