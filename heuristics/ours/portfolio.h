#ifndef MEMPLAN_HEURISTICS_OURS_PORTFOLIO_H
#define MEMPLAN_HEURISTICS_OURS_PORTFOLIO_H

#include "planning/plan/planner.h"

/* Ours: the best of many. First quick rules, those first that are good on most problems, each as
   far as the time limit allows; then, unless a plan is at the lower bound, descents, the i-th with
   the task's seed plus i. With more threads than one they run side by side. Of equal plans the
   first in this order wins, so that threads change nothing but the time. */
enum status portfolio_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error);
extern const struct planner_option portfolio_options[];

/* The index-th of the names of the quick rules, NULL after the last. */
const char *portfolio_rule(uint32_t index);

#endif
