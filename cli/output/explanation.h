#ifndef MEMPLAN_CLI_OUTPUT_EXPLANATION_H
#define MEMPLAN_CLI_OUTPUT_EXPLANATION_H

#include "datasets/json/build.h"
#include "harness/explanation/explanation.h"

/* Why a job's instance does not fit its capacity, in words. */

/* All of it: the section that is over the capacity with its buffers, else buffers that do not fit
   together, and the least capacity that is known to do. Printed, or with facts not NULL added as
   "explanation" to the object that is open in them. */
enum status explanation_report(const struct explanation *explanation, const struct job *job,
                               struct json_tree *facts, struct error *error);

/* On one line, as the error: STATUS_NO. The explanation may be only a section. The outcome has no
   plan that fits. */
enum status explanation_refuse(const struct explanation *explanation, const struct job *job,
                               const struct outcome *outcome, struct error *error);

#endif
