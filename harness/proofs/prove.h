#ifndef MEMPLAN_HARNESS_PROOFS_PROVE_H
#define MEMPLAN_HARNESS_PROOFS_PROVE_H

#include "harness/job/job.h"
#include "solvers/proof/proof.h"

/* Why there is nothing to prove: the outcome claims nothing about one problem that a file could
   hold. NULL where it does. */
const char *prove_obstacle(const struct job *job, const struct outcome *outcome);

/* The capacity of which an outcome without obstacle says that no plan fits it. */
uint64_t prove_capacity(const struct job *job, const struct outcome *outcome);

/* Looks for a log that shows what the outcome claims: for an optimum that no plan fits one byte
   less, for a refused capacity that no plan fits it. Takes at most the job's time limit. The log is
   about the instance where that is a problem, else about the problem that the policy flat makes of
   its graph, as `convert` writes it; its text is appended to `problem`, which may be NULL.
   proof->why_not says why there is none; the caller frees the proof, also after an error.
   STATUS_INTERNAL where a plan is found that the claim excludes. */
enum status prove_outcome(const struct job *job, const struct outcome *outcome,
                          enum proof_form form, struct text *problem, struct proof *proof,
                          struct error *error);

#endif
