#ifndef MEMPLAN_HARNESS_MEMORIES_RUN_H
#define MEMPLAN_HARNESS_MEMORIES_RUN_H

#include "planning/memories/memory_planner.h"

/* One planner on one problem with several memories, its plan checked. */

struct memory_run {
    uint64_t time_limit_ns, seed; /* UINT64_MAX: no limit */
    uint64_t rounds;              /* as in struct memory_task */
};

/* Fills the plan, which was created for the problem. A wrong plan, or one that costs other than it
   says, is STATUS_INTERNAL. */
enum status memory_run_planner(const struct memory_problem *problem,
                               const struct memory_planner *planner, const struct memory_run *run,
                               struct memory_plan *plan, struct error *error);

#endif
