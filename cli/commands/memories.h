#ifndef MEMPLAN_CLI_COMMANDS_MEMORIES_H
#define MEMPLAN_CLI_COMMANDS_MEMORIES_H

#include "cli/arguments/arguments.h"
#include "datasets/memory_instance.h"
#include "planning/memories/memory_planner.h"

/* What commands do with a problem with several memories, see docs/memories.md. */

/* Plans it, checks the plan, reports it and writes it. STATUS_NO where nothing fits. */
enum status memories_plan(const struct arguments *arguments, struct error *error);
/* Checks the plan that the second operand names. STATUS_NO where it is wrong. */
enum status memories_verify(const struct arguments *arguments, struct error *error);
/* Writes it as memplan-memories/1. */
enum status memories_convert(const struct arguments *arguments, struct error *error);

/* Whether the first operand or the first suite is one of such problems. */
bool memories_are_chosen(const struct arguments *arguments);
/* Plans those of all suites and operands with each planner, and stores what was found. */
enum status memories_bench(const struct arguments *arguments, struct error *error);

#endif
