#ifndef MEMPLAN_SOLVERS_EXACT_RACE_SPANS_H
#define MEMPLAN_SOLVERS_EXACT_RACE_SPANS_H

#include "solvers/exact/race/state.h"

/* Looks at all blocks that are touched, until none is left: finds floor, span and candidates of
   their sections, and raises what cannot be the lowest of a section above the least end of those
   that can (rule `first`). False refuses the node: a span is above the capacity, or nothing in a
   section can be its lowest. The section that refused gets heavier, and state->next_capacity is
   lowered to the least capacity for which this refusal might not hold. O(entries) for each block.

   The rule is Jackson's for one machine with release dates: in order of their lowest offsets each
   buffer begins no sooner than at its own and at the end of those before. */
bool exact_spans_refresh(struct exact_state *state);

#endif
