#ifndef MEMPLAN_SOLVERS_WINDOW_EJECT_H
#define MEMPLAN_SOLVERS_WINDOW_EJECT_H

#include "solvers/window/draft.h"

/* Ejection chains: a buffer that waits is put where it drives out the least, and the buffers that
   it drives out wait in its place. A buffer costs more each time it is driven out, so that the
   chains do not go in circles. (Glover, "Ejection chains, reference structures and alternating path
   methods", Discrete Applied Mathematics 65, 1996.) */
struct eject;

/* The draft, its owner's, must outlive it. O(buffers). */
enum status eject_create(struct draft *draft, struct eject **eject, struct error *error);
void eject_free(struct eject *eject); /* NULL is fine */
SCOPED_POINTER(struct eject, eject_release, eject_free);

struct eject_effort {
    uint64_t looks; /* about how many segments it may look at; afterwards, how many are left */
    uint32_t most_waiting; /* the chains are given up when this number of buffers waits */
    uint64_t deadline_ns;
};

/* Runs until no buffer waits or the effort is used up. In both cases no two buffers with offsets in
   the draft collide. O(c log c) for a buffer of c conflicts. */
enum status eject_run(struct eject *eject, struct eject_effort *effort, struct error *error);

/* Forgets how often buffers were driven out. O(buffers). */
void eject_forget(struct eject *eject);

#endif
