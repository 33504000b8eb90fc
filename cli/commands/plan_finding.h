#ifndef MEMPLAN_CLI_COMMANDS_PLAN_FINDING_H
#define MEMPLAN_CLI_COMMANDS_PLAN_FINDING_H

#include "cli/arguments/arguments.h"
#include "cli/output/explanation.h"
#include "harness/cache/plan_cache.h"
#include "harness/job/job.h"

/* What the command plan found out about a job; all of it is borrowed. */
struct plan_finding {
    const struct job *job;
    const struct outcome *outcome;
    const struct explanation *explanation; /* NULL where none was asked for, or needed */
    enum cache_use cache;
};

/* Writes the files that the user asked for (output, layout report) where there is a plan for them,
   and prints the facts, as text or JSON. Returns what the exit code says of the plan: STATUS_OK,
   STATUS_NO where it does not fit, STATUS_LIMIT where none was found in time; or a fault. */
enum status plan_finding_report(const struct arguments *arguments,
                                const struct plan_finding *finding, struct error *error);

/* STATUS_USAGE where a file of this name would be in no form that a plan is written in; NULL is
   fine. */
enum status plan_finding_check_output(const char *path, struct error *error);

#endif
