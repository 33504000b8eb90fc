#ifndef MEMPLAN_HEURISTICS_COMMON_ROWS_H
#define MEMPLAN_HEURISTICS_COMMON_ROWS_H

#include "planning/plan/planner.h"

/* The planners that one source file defines. They are called through planner_plan, which gives them
   the scratch that they take their memory from. To add a planner: a source file that ends in its
   row and HEURISTICS_ROWS, and its name, which is unique, in heuristics/planners.def. */
struct heuristics_rows {
    const struct planner *row; /* [count] */
    uint32_t count;
};

/* Defines what planners.def calls `name` from an array of struct planner. */
#define HEURISTICS_ROWS(name, rows)                                                                \
    const struct heuristics_rows heuristics_##name = {rows, sizeof(rows) / sizeof *(rows)}

#endif
