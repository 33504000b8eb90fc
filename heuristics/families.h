#ifndef MEMPLAN_HEURISTICS_FAMILIES_H
#define MEMPLAN_HEURISTICS_FAMILIES_H

#include "planning/planner.h"

/* The rows of a family of planners. To add a planner: its file and a row in its family's *_rows.c.
   To add a family: a declaration here and a line in heuristics.c. Names are unique across all
   planners. */
struct heuristics_family {
    const struct planner *row; /* [count] */
    uint32_t count;
};

extern const struct heuristics_family heuristics_order_fit, heuristics_skyline, heuristics_xla,
    heuristics_framework, heuristics_pools, heuristics_exclusive, heuristics_idealloc,
    heuristics_order_search, heuristics_ours;

#endif
