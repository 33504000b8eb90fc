#ifndef MEMPLAN_SOLVERS_SOLVERS_H
#define MEMPLAN_SOLVERS_SOLVERS_H

#include "planning/order/order.h"
#include "planning/plan/planner.h"

/* The table of exact planners. */
uint32_t solvers_count(void);
const struct planner *solvers_at(uint32_t index);

/* The table of orders of operators that search for the best one. */
uint32_t solvers_order_count(void);
const struct order_row *solvers_order_at(uint32_t index);

#endif
