#ifndef MEMPLAN_SOLVERS_MEMORIES_COVERS_H
#define MEMPLAN_SOLVERS_MEMORIES_COVERS_H

#include "solvers/mip/model/model.h"

/* Adds extended cover inequalities (Balas, Math. Programming 8, 1975) that the values break. A row
   that says that the weights of columns, each 0 or 1, are K at most is covered by columns that
   weigh more than K together: not all of them are 1, and of them and of those that weigh as much as
   the heaviest of them no more can be 1. Rows with an entry above 0 are passed over. */
void covers_separate(struct mip_model *program, const double *values);

#endif
