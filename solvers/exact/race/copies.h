#ifndef MEMPLAN_SOLVERS_EXACT_RACE_COPIES_H
#define MEMPLAN_SOLVERS_EXACT_RACE_COPIES_H

#include "solvers/exact/race/state.h"

/* Flat copies of a state. The trail leads only back towards the root; a copy leads to any node of
   the tree, so that a search can go on at many nodes side by side. All copies of a state that was
   fitted to a grid have the same length. */

struct exact_copied {
    void *at;
    size_t bytes;
};

enum { EXACT_COPIED_ARRAYS = 13 };

struct exact_copies {
    struct exact_state *state;
    struct exact_copied array[EXACT_COPIED_ARRAYS]; /* of the state */
    size_t bytes;                                   /* of a copy, a multiple of 8 */
};

/* The state, which has been fitted to a grid, must outlive the copies, and be fitted to no other as
   long as they are used. */
struct exact_copies exact_copies_of(struct exact_state *state);

/* Copies the state, whose conclusions have all been drawn, to copy [copies->bytes], which is
   aligned for any number. O(bytes). */
void exact_copies_save(const struct exact_copies *copies, void *copy);

/* Moves the state to the node at which the copy was made, in the same tree. It cannot go back to
   marks that were made before. O(bytes). */
void exact_copies_load(const struct exact_copies *copies, const void *copy);

#endif
