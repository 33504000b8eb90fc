#ifndef MEMPLAN_HARNESS_FILES_PLAN_INPLACE_H
#define MEMPLAN_HARNESS_FILES_PLAN_INPLACE_H

#include "planning/plan/placement.h"

/* Which outputs are in place of inputs by what a plan file says: buffer_of[tensors] is equal, and
   not 0, for tensors that it has in one place. Only what operators can write over counts; whether
   it is dead by then is left to the checks. */
void plan_inplace_declare(const struct graph *graph, const uint32_t *buffer_of,
                          struct placement *placement);

#endif
