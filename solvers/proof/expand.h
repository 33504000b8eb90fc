#ifndef MEMPLAN_SOLVERS_PROOF_EXPAND_H
#define MEMPLAN_SOLVERS_PROOF_EXPAND_H

#include "solvers/proof/formula.h"
#include "solvers/proof/trim.h"

/* Expands the log of a refusal, which has no steps of dominance, into a proof of the format VeriPB
   3.0 that the formula has no solution. *kept: clauses. */
enum status proof_expand(const struct formula *formula, struct text *text, uint64_t *kept,
                         struct error *error);

#endif
