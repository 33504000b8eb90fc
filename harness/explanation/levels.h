#ifndef MEMPLAN_HARNESS_EXPLANATION_LEVELS_H
#define MEMPLAN_HARNESS_EXPLANATION_LEVELS_H

#include "harness/explanation/explanation.h"

/* Plans the job's graph under its policy, which does so level by level, by an exact planner in half
   of the job's time limit: least and bound of the whole; and of the first level that needs more
   than the capacity a copy of the problem, its load and its region. */
enum status explanation_levels_find(const struct job *job, const struct planner *exact,
                                    struct explanation *explanation, struct error *error);

#endif
