#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_HANDOVER_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_HANDOVER_H

#include "solvers/exact/learn/look.h"

/* Raises what is live in the other section only: its bytes are those of buffers that are live in
   this one only, or free. The jobs are listed by deadline, and no buffer of the model has windows.
   False: there is a conflict. O(members^3). */
bool exact_look_hand_over(const struct exact_look *look, uint32_t other);

#endif
