#ifndef MEMPLAN_HEURISTICS_ORDER_FIT_ORDER_FIT_H
#define MEMPLAN_HEURISTICS_ORDER_FIT_ORDER_FIT_H

#include "planning/plan/planner.h"

/* The strategy interface of Wang et al. (J. NUDT 47(6), 2025, section 1.1 and Algorithm 1): buffers
   are placed one after another in an order, each where the fit puts it among the conflicting
   buffers placed before it. Fixed buffers are placed before all others. What each row does, its
   source and its departures: docs/planners.md. */
struct order_fit {
    const char *order, *fit; /* names of rows of the tables in order.h and fit.h */
};

/* Plans with the struct order_fit to which planner->rule points. The cost is that of order_sort and
   placer_place_all. */
enum status order_fit_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error);

#endif
