#ifndef MEMPLAN_PLANNING_VERIFY_DEVICES_H
#define MEMPLAN_PLANNING_VERIFY_DEVICES_H

#include "planning/plan/placement.h"
#include "planning/verify/verdict.h"

/* Sets the verdict to VERIFY_DEVICES where tensors of different devices share bytes, else leaves it
   as it is. The extents of every tensor have been checked before. O(n log n) for n extents. */
enum status verify_devices(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error);

#endif
