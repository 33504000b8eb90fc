#ifndef MEMPLAN_HARNESS_PLANNERS_PLUGIN_H
#define MEMPLAN_HARNESS_PLANNERS_PLUGIN_H

#include "planning/plan/planner.h"

/* Planners of a shared object with the table of include/memplan/plugin.h. They are called in this
   process; what they answer is checked as far as that is possible without a reference. */
struct plugin;

/* Loads the shared object; a path without a slash is one in the current folder. Fails with
   STATUS_BAD_INPUT and the path where it is none, has no such table or one of another version, or
   where a row of it lacks something. */
enum status plugin_open(const char *path, struct plugin **plugin, struct error *error);
void plugin_close(struct plugin *plugin); /* NULL is fine; ends its planners */

uint32_t plugin_planners(const struct plugin *plugin);
const struct planner *plugin_planner_at(const struct plugin *plugin, uint32_t index);

#endif
