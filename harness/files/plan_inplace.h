#ifndef MEMPLAN_HARNESS_FILES_PLAN_INPLACE_H
#define MEMPLAN_HARNESS_FILES_PLAN_INPLACE_H

#include "planning/plan/placement.h"

/* Declares which outputs are in place of inputs according to a plan file. buffer_of[tensors] is
   equal, and not 0, for tensors that the file puts into one place. Only pairs that the operator can
   write in place count; whether the input is still needed is left to the checks. */
void plan_inplace_declare(const struct graph *graph, const uint32_t *buffer_of,
                          struct placement *placement);

#endif
