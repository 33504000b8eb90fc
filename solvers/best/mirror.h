#ifndef MEMPLAN_SOLVERS_BEST_MIRROR_H
#define MEMPLAN_SOLVERS_BEST_MIRROR_H

#include "planning/problem/problem.h"

/* Makes the same problem with time running backwards. Its plans are plans of the problem, and where
   a search is slow on one of the two it often is fast on the other. *mirrored is NULL where the
   problem has conflict steps, which have no order. O(segments). */
enum status mirror_create(const struct problem *problem, struct problem **mirrored,
                          struct error *error);

#endif
