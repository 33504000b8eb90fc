#ifndef MEMPLAN_CLI_COMMANDS_BENCH_H
#define MEMPLAN_CLI_COMMANDS_BENCH_H

#include "cli/arguments/arguments.h"
#include "core/error.h"

/* Runs the jobs of a bench command with these arguments and stores their rows, under the label
   `versus` unless the arguments name another, but leaves out those of planners that come along if
   any run of the database has them already, under whatever limits, or with `same_limit` under the
   same time limit. Jobs of the planner `mine` are left out only if it is a plug-in or program that
   has not changed since, and the limits are the same. Finding an order may take order_limit_ns. A
   job that fails is reported and stored as any other and is no error of the call. */
enum status bench_run_missing(const struct arguments *arguments, const char *mine, bool same_limit,
                              uint64_t order_limit_ns, struct error *error);

#endif
