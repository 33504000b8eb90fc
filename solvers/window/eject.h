#ifndef MEMPLAN_SOLVERS_WINDOW_EJECT_H
#define MEMPLAN_SOLVERS_WINDOW_EJECT_H

#include "solvers/window/draft.h"

/* Ejection chains: what waits is put where it drives out the least, and what was driven out waits
   in its place. What is driven out often costs more each time, so that the chains do not go in
   circles. (Glover, "Ejection chains, reference structures and alternating path methods", Discrete
   Applied Mathematics 65, 1996.) */
struct eject;

/* The draft, its owner's, must outlive it. O(buffers). */
enum status eject_create(struct draft *draft, struct eject **eject, struct error *error);
void eject_free(struct eject *eject); /* NULL is fine */

/* Goes on until nothing waits, until about most_looks segments were looked at, until far more waits
   than at first, or until deadline_ns. However it ends, what has an offset in the draft collides
   with nothing. */
enum status eject_run(struct eject *eject, uint64_t most_looks, uint64_t deadline_ns,
                      struct error *error);

#endif
