#ifndef MEMPLAN_HEURISTICS_COMMON_FAMILY_H
#define MEMPLAN_HEURISTICS_COMMON_FAMILY_H

#include "planning/plan/planner.h"

/* The rows of a family of planners. To add a planner: its file and a row in its family's rows.c. To
   add a family: its folder and a row in heuristics/families.def. Names are unique across all
   planners. */
struct heuristics_family {
    const struct planner *row; /* [count] */
    uint32_t count;
};

/* The definition of a family, at the end of its rows.c. */
#define HEURISTICS_FAMILY_DEFINE(name, rows)                                                       \
    const struct heuristics_family heuristics_##name = {rows, sizeof(rows) / sizeof *(rows)}

#endif
