#ifndef MEMPLAN_SOLVERS_MIP_SEARCH_H
#define MEMPLAN_SOLVERS_MIP_SEARCH_H

#include "planning/plan/planner.h"
#include "solvers/mip/solver.h"

/* The integer program of solvers/mip/model/model.h for the whole problem, solved by a solver. The
   caller has verified task->start, which fits the capacity; it is checked against every row before
   the solver sees it, since GLPK does not. A solution counts only as the order of buffers it stands
   for: offsets are worked out anew in whole numbers and verified. Solvers work in floating point:
   their bounds, and their word that there is no solution, count only while the peak is at most
   100000 scaled bytes. Unsupported, or the start, when the model would have more than
   MIP_MOST_ENTRIES; crash, or the start, when the solver ended its process. */
enum status mip_search(const struct mip_solver *solver, const struct planner_task *task,
                       struct plan *plan, struct error *error);

#endif
