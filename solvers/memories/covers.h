#ifndef MEMPLAN_SOLVERS_MEMORIES_COVERS_H
#define MEMPLAN_SOLVERS_MEMORIES_COVERS_H

#include "solvers/mip/model/model.h"

/* Adds lifted cover inequalities (Balas, Math. Programming 8, 1975) that the values break. In a row
   that says that the weights of columns, each 0 or 1, add up to K at most, a cover is n columns
   that together weigh more than K: at most n - 1 of them are 1. Every other column, one after
   another, gets the greatest coefficient with which that still holds, found in whole numbers
   (Zemel, Math. of Operations Research 14, 1989). Rows with an entry above 0 are passed over.
   O(rows * columns of a row * n). */
void covers_separate(struct mip_model *program, const double *values);

#endif
