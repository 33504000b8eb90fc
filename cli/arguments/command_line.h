#ifndef MEMPLAN_CLI_ARGUMENTS_COMMAND_LINE_H
#define MEMPLAN_CLI_ARGUMENTS_COMMAND_LINE_H

#include "cli/arguments/arguments.h"
#include "core/text.h"

/* Appends the command line as a shell would read it, "memplan bench --suite 'a b'": options first,
   operands last. */
enum status command_line_append(const struct arguments *arguments, struct text *text,
                                struct error *error);

#endif
