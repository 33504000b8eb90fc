#ifndef MEMPLAN_PLANNING_VERIFY_DESCRIBE_H
#define MEMPLAN_PLANNING_VERIFY_DESCRIBE_H

#include "planning/plan/placement.h"
#include "planning/verify/verdict.h"
#include <stddef.h>

/* Says in one sentence what verify_plan, verify_fixed or verify_paths found, with the names,
   offsets and the step; cut to text_bytes. */
void verify_describe(const struct problem *problem, const struct plan *plan,
                     const struct verdict *verdict, char *text, size_t text_bytes);
void verify_paths_describe(const struct graph *graph, const struct placement *placement,
                           const struct verdict *verdict, char *text, size_t text_bytes);

#endif
