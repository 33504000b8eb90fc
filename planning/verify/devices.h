#ifndef MEMPLAN_PLANNING_VERIFY_DEVICES_H
#define MEMPLAN_PLANNING_VERIFY_DEVICES_H

#include "planning/plan/placement.h"
#include "planning/verify/verdict.h"

/* Says VERIFY_DEVICES where tensors of different devices share bytes, else nothing. Every tensor
   with an offset has its extents in order and ends below 2^64. O(n log n) for n extents. */
enum status verify_devices(const struct graph *graph, const struct placement *placement,
                           struct verdict *verdict, struct error *error);

#endif
