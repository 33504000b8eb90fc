#ifndef MEMPLAN_CLI_COMMANDS_MEMORIES_H
#define MEMPLAN_CLI_COMMANDS_MEMORIES_H

#include "cli/arguments/arguments.h"

/* What commands do with a problem with several memories, see docs/memories.md. */

/* Whether the file that the first operand names holds such a problem, as its content says. What
   cannot be read is none: the command will say so. */
bool memories_is_file(const char *path);

/* Plans it, checks the plan, reports it and writes it. STATUS_NO where nothing fits. */
enum status memories_plan(const struct arguments *arguments, struct error *error);
/* Checks the plan that the second operand names. STATUS_NO where it is wrong. */
enum status memories_verify(const struct arguments *arguments, struct error *error);
/* Writes it as memplan-memories/1. */
enum status memories_convert(const struct arguments *arguments, struct error *error);

#endif
