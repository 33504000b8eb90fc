#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_CLAUSES_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_CLAUSES_H

#include "solvers/exact/learn/state.h"

/* What is known of a clause that was made from a conflict, beside its literals. */
struct exact_learned {
    uint32_t kept_levels; /* how many decisions to keep, so that the first literal follows from the
                             clause */
    uint32_t levels;      /* how many decision levels its literals are from */
    uint64_t limit;       /* the greatest capacity for which the clause is known */
    uint32_t number;      /* in the log, where there is one */
};

/* Turns the conflict into a clause in learn->learned, latest literals first. False where there is
   no decision to blame, so that no plan has a peak of learned->limit or less. O(events). */
bool exact_learn_explain(struct exact_learn *learn, struct exact_learned *learned);

/* Learned clauses and their watches: watch 2 c + k is for the literal at position k of clause c,
   and each literal has a list of the watches for it. A clause of several literals is looked at only
   when one of its first two is refuted (watched literals, Chaff, 2001). */

/* To be called when the literal holds: each clause that watches the opposite literal watches
   another of its literals instead, or, where no other can hold, its last literal is noted to hold.
   False: there is a conflict. */
bool exact_learn_visit_clauses(struct exact_learn *learn, uint32_t literal);

/* Adds the clause of the literals in learn->learned, whose first holds from here on; the second is
   of the latest level. Returns its index, or EXACT_NONE where there is no memory. */
uint32_t exact_learn_add_clause(struct exact_learn *learn, const struct exact_learned *learned);

/* To be called before a search from an empty plan: drops clauses if there are very many, and
   watches those that hold for the capacity. False where none of the literals of some clause can
   hold. */
bool exact_learn_watch_clauses(struct exact_learn *learn);

#endif
