#ifndef MEMPLAN_SOLVERS_GLPK_H
#define MEMPLAN_SOLVERS_GLPK_H

#include "planning/planner.h"

/* The integer program of mip_model.h solved by GLPK's branch and cut. Starts from task->start,
   which is checked against every row before GLPK sees it, since GLPK does not. A solution counts
   only as the order of buffers it stands for: offsets are worked out anew in whole numbers and
   verified. Says optimal only if the peak equals a proven bound. Built without GLPK, or with a
   model beyond MIP_MOST_ENTRIES, it answers with the start, or unsupported. */
enum status glpk_plan(const struct planner *planner, const struct planner_task *task,
                      struct plan *plan, struct error *error);

#endif
