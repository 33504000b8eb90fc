#ifndef MEMPLAN_SOLVERS_EXACT_RACE_SPANS_H
#define MEMPLAN_SOLVERS_EXACT_RACE_SPANS_H

#include "solvers/exact/race/state.h"

/* Looks at all batches that are touched, until none is left: finds floor, span and candidates of
   their sections, and raises each buffer that cannot be the lowest of a section above the least end
   of the buffers that can (rule `first`). False refuses the node: a span is above the capacity, or
   nothing in a section can be its lowest. The weight of the section that refused grows, and
   state->next_capacity is lowered to the least capacity for which this refusal might not hold.
   O(entries) for each batch.

   The rule is Jackson's for one machine with release dates: in the order of their lowest offsets,
   each buffer begins at its lowest offset or at the end of the buffer before it, whichever is
   higher. */
bool exact_spans_refresh(struct exact_state *state);

#endif
