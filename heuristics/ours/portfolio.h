#ifndef MEMPLAN_HEURISTICS_OURS_PORTFOLIO_H
#define MEMPLAN_HEURISTICS_OURS_PORTFOLIO_H

#include "planning/plan/planner.h"

/* Ours: runs many planners and keeps the best plan. First come quick planners, those first that are
   good on most problems, as many as the time limit allows. Then, unless a plan is at the lower
   bound, come descents, the i-th of them with the task's seed plus i. With several threads they run
   side by side. Of equal plans the first in this order wins, so that the number of threads changes
   nothing but the time. */

/* The most quick planners. */
enum { PORTFOLIO_QUICK = 14 };

/* What the portfolio runs, by the names of other planners. The table of planners, of which the
   portfolio is a row itself, gives it this. */
struct portfolio_rule {
    const char *const *quick; /* [quick_count], one to PORTFOLIO_QUICK */
    uint32_t quick_count;
    const char *descent; /* the planner that is run once for each descent */
    /* Finds a planner by its name; it knows all of these names. */
    const struct planner *(*find)(const char *name);
};

extern const struct planner_option portfolio_options[];

/* Plans with the struct portfolio_rule to which planner->rule points. */
enum status portfolio_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error);

#endif
