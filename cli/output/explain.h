#ifndef MEMPLAN_CLI_OUTPUT_EXPLAIN_H
#define MEMPLAN_CLI_OUTPUT_EXPLAIN_H

#include "harness/explanation/explanation.h"

/* STATUS_OK for a plan that is correct and fits. Else STATUS_NO or STATUS_LIMIT with an error that
   says why: the section over the capacity and what is live there, the fixed buffers that collide,
   or what verify or execute found. `explanation` is what is known about the capacity, or NULL. */
enum status explain_outcome(const struct job *job, const struct outcome *outcome,
                            const struct explanation *explanation, struct error *error);

#endif
