#ifndef MEMPLAN_SOLVERS_EXACT_RACE_HANDOVER_H
#define MEMPLAN_SOLVERS_EXACT_RACE_HANDOVER_H

#include "solvers/exact/race/state.h"

/* Rule `handover`. Of two neighbouring sections let b be live in one only. In the other section its
   bytes belong to buffers that are not live in b's, or to nobody, since those live in both conflict
   with b. Nobody's bytes are few where there is little slack: what is left in a section lies
   between its floor and the capacity, so only capacity - floor - bytes left are nobody's. Thus all
   but so many of b's bytes above that floor have to be bytes that the other buffers can reach,
   which begin at their lowest offsets or above:

       section    1   |   2           Left in section 1 are a, which is live in both sections, and
             |        |        |      c, which ends there. The floor is 2 and no byte is to spare.
           8 |--------+ - - - -|      b begins in section 2 and could lie at 2 as well, beside a.
             |   c    |   b ?  |      But c cannot come below 5, so b cannot either.
           5 |--------+--------|
             |   a             |
           2 +-----------------+
                                                                                                 */

/* Looks at the borders of all blocks that changed, and raises what would leave more bytes to nobody
   than there are. False refuses the node: nothing can take over the bytes of a buffer. No block is
   touched before. What it says holds for all capacities below state->next_capacity, which may be
   lowered for it. O(ending * beginning) for each border. */
bool exact_handover_refresh(struct exact_state *state);

#endif
