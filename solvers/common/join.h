#ifndef MEMPLAN_SOLVERS_COMMON_JOIN_H
#define MEMPLAN_SOLVERS_COMMON_JOIN_H

#include "planning/plan/planner.h"

/* Plans a part, or a problem that is one part, as the function `plan` of a planner does. */
typedef enum status join_planner(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error);

/* Where the task asks for the least peak, plans its problem part by part and lays the parts one on
   another; where it asks for a capacity, plans it whole. Each part starts with what the task's
   start makes of it, and gets of the time that is left a share by the square of its buffers. What
   part_plan leaves to plan_complete is left to that here, too. */
enum status join_plan(const struct planner *planner, const struct planner_task *task,
                      join_planner *part_plan, struct plan *plan, struct error *error);

#endif
