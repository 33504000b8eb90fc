#ifndef MEMPLAN_SOLVERS_EXACT_RACE_NODE_H
#define MEMPLAN_SOLVERS_EXACT_RACE_NODE_H

#include "solvers/exact/race/state.h"

/* A node of the search tree: it is entered by placing or rejecting a buffer, and all conclusions
   from that are drawn at once. A function that returns false has refused the node: no plan within
   the capacity agrees with the decisions so far, and the caller goes back. A node is refused

   - where what is left in a section ends above the capacity (spans.h),
   - where a rejected buffer has nothing left to lie on, or nothing that can fill its place
     (reject.h),
   - where a fixed buffer would have to move, or a buffer ends above the capacity (raise.h),
   - where too few bytes are left for the buffers that begin or end at a border of sections
     (handover.h).

   Where other models are along the model, a buffer is placed or rejected in all their states, and a
   node is refused where it is so in one of them. */

/* Enters the root of the tree, where nothing is placed. The state has been fitted to a grid of the
   capacity, and has room for one step (exact_state_reserve). rank [buffers] outlives the search. */
bool exact_node_start(struct exact_state *state, unsigned rules, const uint32_t *rank,
                      uint64_t capacity);

/* Marks the present state, and goes back to a marked state from any later one that was reached from
   it. */
struct exact_mark exact_node_mark(struct exact_state *state);
void exact_node_undo(struct exact_state *state, const struct exact_mark *mark);

/* Puts the buffer at its lowest offset. Nothing that conflicts with it may lie below any more. */
bool exact_node_place(struct exact_state *state, uint32_t buffer);

/* Says that the buffer lies above its lowest offset. */
bool exact_node_reject(struct exact_state *state, uint32_t buffer);

#endif
