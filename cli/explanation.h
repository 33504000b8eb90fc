#ifndef MEMPLAN_CLI_EXPLANATION_H
#define MEMPLAN_CLI_EXPLANATION_H

#include <jansson.h>

#include "cli/command.h"
#include "harness/job.h"

/* Why the job's instance does not fit its capacity: the section that is over it with its buffers,
   else buffers that do not fit together, and the least capacity that is known to do. Printed, or
   with facts not NULL added there as "explanation". STATUS_USAGE where the policy plans a graph
   level by level. */
enum status explanation_report(const struct arguments *arguments, const struct job *job,
                               json_t *facts, struct error *error);

#endif
