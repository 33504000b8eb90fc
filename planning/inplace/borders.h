#ifndef MEMPLAN_PLANNING_INPLACE_BORDERS_H
#define MEMPLAN_PLANNING_INPLACE_BORDERS_H

#include "planning/inplace/pass.h"

/* For rules that cross borders, before each operator: uses in branches that exclude its own are not
   pending. O(uses * depth * branches of an operator) over all operators. */
void inplace_enter_region(struct inplace_pass *pass, uint32_t o);
/* The rules `borders`, of a plain operator and of a loop. */
void inplace_merge_borders(struct inplace_pass *pass);
void inplace_merge_inits(struct inplace_pass *pass);

#endif
