#ifndef MEMPLAN_SOLVERS_COMMON_JOIN_H
#define MEMPLAN_SOLVERS_COMMON_JOIN_H

#include "planning/plan/planner.h"

/* How a part, or a problem of one part, is planned: as planner->plan. */
typedef enum status join_planner(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error);

/* Plans the task's problem part by part where its least peak is asked for, and lays the parts one
   on another; else whole. Each part starts with what the task's start makes of it, and gets of the
   time that is left a share by the square of its buffers. What part_plan leaves to plan_complete is
   left to it here, too. */
enum status join_plan(const struct planner *planner, const struct planner_task *task,
                      join_planner *part_plan, struct plan *plan, struct error *error);

#endif
