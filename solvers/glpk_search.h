#ifndef MEMPLAN_SOLVERS_GLPK_SEARCH_H
#define MEMPLAN_SOLVERS_GLPK_SEARCH_H

#include "planning/planner.h"

/* The integer program of mip_model.h for the whole problem, solved by GLPK's branch and cut. The
   caller has verified task->start, which fits the capacity; it is checked against every row before
   GLPK sees it, since GLPK does not. A solution counts only as the order of buffers it stands for:
   offsets are worked out anew in whole numbers and verified. GLPK works in floating point: its
   bounds, and its word that there is no solution, count only while the peak is at most 100000
   scaled bytes. Unsupported, or the start, when the model would have more than MIP_MOST_ENTRIES. */
enum status glpk_search(const struct planner_task *task, struct plan *plan, struct error *error);

#endif
