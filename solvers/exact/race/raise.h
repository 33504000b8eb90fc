#ifndef MEMPLAN_SOLVERS_EXACT_RACE_RAISE_H
#define MEMPLAN_SOLVERS_EXACT_RACE_RAISE_H

#include "solvers/exact/race/state.h"

/* Raises the lowest offset of the buffer, which is not placed, to the given one: rounds this up to
   the alignment, jumps over the fixed buffers that it conflicts with, raises the equal buffers
   after it (rule `twins`), and touches the batches of all raised buffers. False refuses the node: a
   fixed buffer would have to move, or a buffer with windows ends above the capacity. O(1) for each
   buffer raised, times its conflicts where some buffer is fixed. */
bool exact_raise(struct exact_state *state, uint32_t buffer, uint64_t offset);

#endif
