#ifndef MEMPLAN_PLANNING_PLAN_MEASURES_H
#define MEMPLAN_PLANNING_PLAN_MEASURES_H

#include <stdint.h>

/* The numbers that measure a plan, as measures.def lists them. The same struct is carried from the
   planner's plan to the placement of a graph, the outcome of a job and the files. */
struct measures {
#define MEASURE(name, key) uint64_t name;
#include "planning/plan/measures.def"
#undef MEASURE
};

#endif
