#ifndef MEMPLAN_HARNESS_BROUGHT_PLUGIN_H
#define MEMPLAN_HARNESS_BROUGHT_PLUGIN_H

#include "planning/order/order.h"
#include "planning/plan/planner.h"

/* A planner or an order of a shared object with tables of include/memplan/plugin.h: the `rule` of
   its planner or order. */
struct plugin_row {
    const char *path; /* of the shared object */
    const struct memplan_planner *planner;
    const struct memplan_order *order;
};

/* Ask such a planner or order. The answer is checked as far as it can be checked by itself; the
   caller checks the loads and edges of an order. */
enum status plugin_plan(const struct planner *planner, const struct planner_task *task,
                        struct plan *plan, struct error *error);
enum status plugin_order(const struct order_row *row, const struct order_task *task,
                         uint32_t *permutation, struct order_report *report, struct error *error);

#endif
