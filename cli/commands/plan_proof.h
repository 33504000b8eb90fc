#ifndef MEMPLAN_CLI_COMMANDS_PLAN_PROOF_H
#define MEMPLAN_CLI_COMMANDS_PLAN_PROOF_H

#include "cli/arguments/arguments.h"
#include "harness/job/job.h"

struct json_tree;

/* Writes the proof of what the outcome claims to the file arguments->proof, and says so: in a line,
   or in the object that is open in facts. STATUS_LIMIT where there is none;
   then the line says why. */
enum status plan_proof_write(const struct arguments *arguments, const struct job *job,
                             const struct outcome *outcome, struct json_tree *facts,
                             struct error *error);

#endif
