#ifndef MEMPLAN_SOLVERS_EXACT_EXACT_H
#define MEMPLAN_SOLVERS_EXACT_EXACT_H

#include "planning/plan/planner.h"

/* Our own search for plans and for proofs that there are none: README.md in this folder. With a
   capacity it decides whether anything fits, without one it minimises. It starts from task->start,
   or from quick plans of its own, and keeps the best plan and bound when the time is up. Problems
   with very many conflicts are not searched: they get the quick plan and the first bound. */
extern const struct planner_option exact_options[];

enum status exact_plan(const struct planner *planner, const struct planner_task *task,
                       struct plan *plan, struct error *error);

#endif
