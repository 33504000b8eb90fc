#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BEAM_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BEAM_H

#include "solvers/exact/race/strategy.h"

/* Beam search: goes through the tree of a strategy level by level, with some of the nodes side by
   side. A level has the nodes with the same number of placed buffers. Of the nodes of the next
   level, those are kept in which the least room has been wasted; the others are dropped, so that a
   beam finds plans but proves nothing. A depth-first search goes back to its last decisions first;
   a beam also has nodes with other first decisions, in case the first ones were wrong.

   Room is wasted in a section where what is left of it can only be packed with gaps: its span is
   more than its load. The waste of a section is the decrease of the square root of its slack, so
   that the last bytes of slack count most. Each node's waste is multiplied by a number drawn from 1
   to 1.05, so that one pass differs from the next.

   Bisiani, "Beam search", Encyclopedia of Artificial Intelligence, 1987; repeated passes:
   Libralesso and others, "Tree search for the sequential ordering problem", 2020. */
struct exact_beam;

enum status exact_beam_create(struct exact_beam **beam, struct error *error);
void exact_beam_free(struct exact_beam *beam); /* NULL is fine */
SCOPED_POINTER(struct exact_beam, exact_beam_release, exact_beam_free);

/* Begins a pass at the root, where the state is now. Its width is chosen so that it makes about
   `placements` placements, but takes no more than a few megabytes. The state stays the caller's,
   but between calls it may be at any node. The seed makes passes differ. */
enum status exact_beam_begin(struct exact_beam *beam, struct exact_state *state,
                             uint64_t placements, uint64_t seed, struct error *error);

/* Whether no node is left. */
bool exact_beam_is_over(const struct exact_beam *beam);

/* Goes on by one node of a pass that is not over, which takes up to three placements. Where *found
   says so, the state has a plan, and the pass must not go on. */
enum status exact_beam_advance(struct exact_beam *beam, const struct exact_strategy *strategy,
                               bool *found, struct error *error);

#endif
