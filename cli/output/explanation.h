#ifndef MEMPLAN_CLI_OUTPUT_EXPLANATION_H
#define MEMPLAN_CLI_OUTPUT_EXPLANATION_H

#include "datasets/json/build.h"
#include "harness/explanation/explanation.h"
#include "harness/joint/alternatives.h"

/* Reports why a job's instance does not fit its capacity, or why its plan is not good. */

/* Reports the whole explanation: the section over the capacity with its buffers, or else buffers
   that do not fit together, and the least capacity that is known to be enough. It is printed, or,
   where facts is not NULL, added as "explanation" to the object that is open in them. */
enum status explanation_report(const struct explanation *explanation, const struct job *job,
                               struct json_tree *facts, struct error *error);

/* Reports which options would lower the peak of the outcome, as printed text or, in the array
   "alternatives" of facts, all that were tried. Where the outcome has no plan all are named. */
void alternatives_report(const struct alternatives *alternatives, const struct job *job,
                         const struct outcome *outcome, struct json_tree *facts);

/* STATUS_OK for a plan that is correct and fits. Else STATUS_NO or STATUS_LIMIT with an error that
   says why: the section over the capacity and what is live there, the fixed buffers that collide,
   or what verify or execute found. `explanation` is what is known about the capacity, or NULL. */
enum status explain_outcome(const struct job *job, const struct outcome *outcome,
                            const struct explanation *explanation, struct error *error);

#endif
