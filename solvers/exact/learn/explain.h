#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_EXPLAIN_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_EXPLAIN_H

#include "solvers/exact/learn/state.h"

/* What is known of a clause that was made of a conflict, beside its literals. */
struct exact_learned {
    uint32_t kept_levels; /* so many decisions are kept; then the first literal follows from the
                             clause */
    uint32_t levels;      /* how many decision levels its literals are from */
    uint64_t limit;       /* the greatest capacity for which the clause is known */
};

/* Turns the conflict into a clause in learn->learned, latest literals first. False where there is
   no decision to blame, so that no plan has a peak of learned->limit or less. O(events). */
bool exact_learn_explain(struct exact_learn *learn, struct exact_learned *learned);

#endif
