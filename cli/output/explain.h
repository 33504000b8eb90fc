#ifndef MEMPLAN_CLI_OUTPUT_EXPLAIN_H
#define MEMPLAN_CLI_OUTPUT_EXPLAIN_H

#include "harness/explanation/explanation.h"

/* STATUS_OK for a plan that is right and fits. Else STATUS_NO or STATUS_LIMIT, and the error says
   why: the section that is over the capacity and what is live there, the fixed buffers that
   collide, or what verify or execute found. explanation: what is known of the capacity, or NULL. */
enum status explain_outcome(const struct job *job, const struct outcome *outcome,
                            const struct explanation *explanation, struct error *error);

#endif
