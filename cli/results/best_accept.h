#ifndef MEMPLAN_CLI_RESULTS_BEST_ACCEPT_H
#define MEMPLAN_CLI_RESULTS_BEST_ACCEPT_H

#include "cli/arguments/arguments.h"
#include "core/error.h"

/* best --accept: takes what is better into the list, and prints what was taken and refused. */
enum status best_accept(const struct arguments *arguments, struct error *error);

#endif
