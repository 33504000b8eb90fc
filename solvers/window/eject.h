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
SCOPED_POINTER(struct eject, eject_release, eject_free);

struct eject_effort {
    uint64_t looks;        /* segments that it may look at, about; after it, what is left of them */
    uint32_t most_waiting; /* the chains are given up when this number of buffers waits */
    uint64_t deadline_ns;
};

/* Goes on until nothing waits, or to the end of the effort. However it ends, what has an offset in
   the draft collides with nothing. O(c log c) for a buffer of c conflicts. */
enum status eject_run(struct eject *eject, struct eject_effort *effort, struct error *error);

/* Forgets what was driven out how often. O(buffers). */
void eject_forget(struct eject *eject);

#endif
