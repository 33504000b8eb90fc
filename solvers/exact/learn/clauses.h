#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_CLAUSES_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_CLAUSES_H

#include "solvers/exact/learn/explain.h"

/* Learned clauses and who watches them: watch 2 c + k watches the literal at place k of clause c,
   and each list of watches is that of a literal. A clause of several literals is looked at only
   when one of its first two is refuted (watched literals, Chaff, 2001). */

/* The literal holds: clauses that watch its opposite watch another one, or their last literal
   holds. False: there is a conflict. */
bool exact_learn_visit_clauses(struct exact_learn *learn, uint32_t literal);

/* Adds the literals in learned, whose first holds from here on; the second is of the latest level.
   EXACT_NONE where there is no memory. */
uint32_t exact_learn_add_clause(struct exact_learn *learn, const struct exact_learned *learned);

/* Before a start: drops many of very many clauses and watches those that hold for the capacity.
   False where one of them has no literal that could hold. */
bool exact_learn_watch_clauses(struct exact_learn *learn);

#endif
