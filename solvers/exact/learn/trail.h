#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_TRAIL_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_TRAIL_H

#include "solvers/exact/learn/state.h"

/* The trail: what is known, in the order in which it was found, each event with its reason. A
   function that returns false has found a conflict, whose atoms are the last ones, from
   learn->conflict on. learn->status tells of a failed allocation. */

/* Appends to the atoms, which are reasons or the conflict. value: of a bound, 0 for a literal. */
void exact_learn_add_atom(struct exact_learn *learn, uint32_t item, int64_t value);

/* Notes that the literal, which was open, holds. value: see EXACT_BY_BOUNDS, else 0. False only
   where there is no memory. */
bool exact_learn_assert(struct exact_learn *learn, uint32_t literal, int64_t value,
                        struct exact_reason reason);

/* Raises the bound to the value, rounded up to the buffer's alignment. */
bool exact_learn_raise(struct exact_learn *learn, uint32_t bound, int64_t value,
                       struct exact_reason reason);

/* The least value that, rounded up to the buffer's alignment, is not below the given one. */
int64_t exact_learn_unrounded(const struct exact_learn *learn, uint32_t bound, int64_t value);

/* Notes that all sections of the buffer have to be looked at again. */
void exact_learn_mark_sections(struct exact_learn *learn, uint32_t buffer);

/* Forgets all events and sets the bounds of an empty plan. */
bool exact_learn_start(struct exact_learn *learn);

/* Keeps the first `levels` decisions, and goes back to the state before the next one. */
void exact_learn_undo(struct exact_learn *learn, uint32_t levels);

#endif
