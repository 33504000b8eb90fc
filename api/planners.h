#ifndef MEMPLAN_API_PLANNERS_H
#define MEMPLAN_API_PLANNERS_H

#include "harness/catalogue/planners.h"

/* The planner that a caller calls "name" or "name?setting=value&...", NULL for the default. The
   caller frees it with planner_free. STATUS_USAGE where there is none. */
enum status api_planner_create(const char *name, struct planner **planner, struct error *error);

#endif
