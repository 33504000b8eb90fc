#ifndef MEMPLAN_CLI_COMMANDS_MEMORIES_H
#define MEMPLAN_CLI_COMMANDS_MEMORIES_H

#include "cli/arguments/arguments.h"
#include "datasets/memories/memory_file.h"
#include "planning/memories/memory_planner.h"

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

/* Plans all operands, which are such problems, with each planner, and stores what was found. */
enum status memories_bench(const struct arguments *arguments, struct error *error);

enum status memories_read_problem(const char *path, struct memory_file *file, struct error *error);
/* Plans within the time limit and checks the plan; a wrong one is STATUS_INTERNAL. */
enum status memories_run_planner(const struct arguments *arguments,
                                 const struct memory_problem *problem,
                                 const struct memory_planner *planner, struct memory_plan *plan,
                                 struct error *error);

#endif
