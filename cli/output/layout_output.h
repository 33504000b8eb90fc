#ifndef MEMPLAN_CLI_OUTPUT_LAYOUT_OUTPUT_H
#define MEMPLAN_CLI_OUTPUT_LAYOUT_OUTPUT_H

#include "cli/arguments/command.h"
#include "cli/output/json.h"
#include "harness/job/job.h"

/* The layout report of an outcome with a plan to where arguments->layout_report says: a table, or
   JSON where facts is not NULL; then what goes to standard output becomes the field "layout" of the
   object that is open in it. */
enum status layout_output(const struct arguments *arguments, const struct job *job,
                          const struct outcome *outcome, struct json_tree *facts,
                          struct error *error);

#endif
