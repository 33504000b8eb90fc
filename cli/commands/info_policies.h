#ifndef MEMPLAN_CLI_COMMANDS_INFO_POLICIES_H
#define MEMPLAN_CLI_COMMANDS_INFO_POLICIES_H

#include <jansson.h>

#include "cli/arguments/command.h"
#include "datasets/instance.h"

/* What every control-flow policy makes of a graph: load, naive, the best plan of the portfolio
   within a second, whether the checks accept it, and whether its addresses are static. Appends an
   array of objects, one for each policy. */
enum status info_policies_collect(const struct arguments *arguments,
                                  const struct instance *instance, json_t *facts,
                                  struct error *error);

/* The array as a table on standard output. */
void info_policies_print(const json_t *policies);

#endif
