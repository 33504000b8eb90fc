#ifndef MEMPLAN_CLI_OUTPUT_LAYOUT_OUTPUT_H
#define MEMPLAN_CLI_OUTPUT_LAYOUT_OUTPUT_H

#include "cli/arguments/command.h"
#include "cli/output/json.h"
#include "harness/job/job.h"

/* The layout report of an outcome with a plan to where arguments->layout_report says: a table, or
   JSON where facts is not NULL; then what goes to standard output becomes its field "layout". facts
   is freed where this fails. */
enum status layout_output(const struct arguments *arguments, const struct job *job,
                          const struct outcome *outcome, json_t *facts, struct error *error);

#endif
