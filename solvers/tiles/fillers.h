#ifndef MEMPLAN_SOLVERS_TILES_FILLERS_H
#define MEMPLAN_SOLVERS_TILES_FILLERS_H

#include "planning/problem/problem.h"

/* Makes a copy of a problem, for which tiles_can holds, with further buffers, *fillers*, after
   those of the problem, so that the load is the greatest one at every step from the first border to
   the last. Where buffers were cut from a rectangle and a few are missing, fillers mostly are
   those. */
enum status fillers_add(const struct problem *problem, struct problem **filled,
                        struct error *error);

#endif
