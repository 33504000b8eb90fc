#ifndef MEMPLAN_CLI_OUTPUT_EXPLANATION_H
#define MEMPLAN_CLI_OUTPUT_EXPLANATION_H

#include "datasets/json/build.h"
#include "harness/explanation/explanation.h"

/* Explains why a job's instance does not fit its capacity. */

/* Reports the whole explanation: the section over the capacity with its buffers, or else buffers
   that do not fit together, and the least capacity that is known to be enough. It is printed, or,
   where facts is not NULL, added as "explanation" to the object that is open in them. */
enum status explanation_report(const struct explanation *explanation, const struct job *job,
                               struct json_tree *facts, struct error *error);

/* Sets the explanation, on one line, as the error STATUS_NO. The explanation may have only a
   section. The outcome has no plan that fits. */
enum status explanation_refuse(const struct explanation *explanation, const struct job *job,
                               const struct outcome *outcome, struct error *error);

#endif
