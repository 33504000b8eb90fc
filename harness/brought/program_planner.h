#ifndef MEMPLAN_HARNESS_BROUGHT_PROGRAM_PLANNER_H
#define MEMPLAN_HARNESS_BROUGHT_PROGRAM_PLANNER_H

#include "harness/brought/program.h"
#include "planning/plan/planner.h"

/* A planner that is a program of its own, its `rule`: it reads a problem as MiniMalloc's CSV and
   writes it back with a column offset. The time of a plan includes starting the program and writing
   and reading both files. Ids are the positions of the buffers, from 0; the columns alignment, gaps
   and offset (fixed ones) are there only where a buffer needs them. Without a capacity, {capacity}
   is enough bytes for all buffers without any reuse.

   Exit code 0: there is a plan. 20: proved, nothing fits the capacity. 21: no plan found, nothing
   proved. A file that is no plan is an error. */
extern const struct program_kind program_planner_kind;
enum status program_planner_plan(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error);

#endif
