#ifndef MEMPLAN_HEURISTICS_XLA_XLA_H
#define MEMPLAN_HEURISTICS_XLA_XLA_H

#include "planning/plan/planner.h"

/* GlobalDecreasingSizeBestFitHeap and ChooseBestHeapAlgorithm of openxla/xla,
   xla/service/heap_simulator: buffers in an order, each in the smallest gap among those that are
   live with it, or at the lowest offset; of several runs the first of the lowest peaks.

   A duration is a number of calls to the allocator, since the clock there ticks with every Alloc
   and every Free (events.h). Ties: size, duration, position; by duration: size, position.

   Departures:
   - Sizes are not rounded to one alignment of all buffers; a gap is as large as it is before its
     begin is aligned.
   - Fixed buffers are placed before all others. */

enum xla_order { XLA_SPATIAL, XLA_TEMPORAL, XLA_SPATIAL_TEMPORAL };

/* planner->rule. */
struct xla_rule {
    struct {
        enum xla_order order;
        const char *fit; /* a row of fit.h */
    } run[6];
    uint32_t runs;
};

enum status xla_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);

#endif
