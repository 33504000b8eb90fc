#ifndef MEMPLAN_SOLVERS_BEST_MIRROR_H
#define MEMPLAN_SOLVERS_BEST_MIRROR_H

#include "planning/problem/problem.h"

/* The same problem with time running backwards. Its plans are those of the problem, and a search
   that is in trouble with one often is not with the other. NULL where the problem has conflict
   steps, which have no order. O(segments). */
enum status mirror_create(const struct problem *problem, struct problem **mirrored,
                          struct error *error);

#endif
