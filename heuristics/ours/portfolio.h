#ifndef MEMPLAN_HEURISTICS_OURS_PORTFOLIO_H
#define MEMPLAN_HEURISTICS_OURS_PORTFOLIO_H

#include "planning/plan/planner.h"

/* Ours: the best of many. First quick planners, those first that are good on most problems, each as
   far as the time limit allows; then, unless a plan is at the lower bound, descents, the i-th with
   the task's seed plus i. With more threads than one they run side by side. Of equal plans the
   first in this order wins, so that threads change nothing but the time. */

/* What it runs, by the names of other planners. The table of planners, of which the portfolio is
   one, gives it this. */
struct portfolio_rule {
    const char *const *quick; /* [quick_count], at least one */
    uint32_t quick_count;
    const char *descent;                             /* the planner that is run once per descent */
    const struct planner *(*find)(const char *name); /* knows all of these names */
};

extern const struct planner_option portfolio_options[];

/* planner->rule is a struct portfolio_rule. */
enum status portfolio_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error);

#endif
