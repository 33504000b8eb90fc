#ifndef MEMPLAN_PLANNING_INPLACE_BORDERS_H
#define MEMPLAN_PLANNING_INPLACE_BORDERS_H

#include "planning/inplace/pass.h"

/* To be called before each operator where rules cross borders: makes uses in branches that exclude
   the operator's own not pending. O(uses * depth * branches of an operator) over all operators. */
void inplace_enter_region(struct inplace_pass *pass, uint32_t o);
/* The rules `borders`, of a plain operator and of a loop. */
void inplace_merge_borders(struct inplace_pass *pass);
void inplace_merge_inits(struct inplace_pass *pass);

#endif
