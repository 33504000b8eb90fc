#ifndef MEMPLAN_API_PLANNERS_H
#define MEMPLAN_API_PLANNERS_H

#include "harness/catalogue/planners.h"

/* Makes the planner that the caller of the library names "name" or "name?setting=value&...", the
   default one for NULL. It is freed with planner_free. STATUS_USAGE where there is no such
   planner. */
enum status api_planner_create(const char *name, struct planner **planner, struct error *error);

#endif
