#ifndef MEMPLAN_CLI_COMMANDS_INFO_POLICIES_H
#define MEMPLAN_CLI_COMMANDS_INFO_POLICIES_H

#include "cli/arguments/command.h"
#include "cli/output/json.h"
#include "datasets/instance.h"

/* What every control-flow policy makes of a graph: load, naive, the best plan of the portfolio
   within a second, whether the checks accept it, and whether its addresses are static. Adds
   "policies", an array of objects, to the object that is open in facts. */
enum status info_policies_add(const struct arguments *arguments, const struct instance *instance,
                              struct json_tree *facts, struct error *error);

/* "policies" of the outermost object as a table on standard output. */
void info_policies_print(const struct json_tree *facts);

#endif
