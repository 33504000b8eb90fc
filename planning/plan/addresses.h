#ifndef MEMPLAN_PLANNING_PLAN_ADDRESSES_H
#define MEMPLAN_PLANNING_PLAN_ADDRESSES_H

#include "planning/plan/placement.h"

/* Whether every address can be written into the code that reads the tensors of a graph. That is
   impossible where the result of an If is read where the taken branch left it and the branches
   leave it in different places:

       then: relu -> t at 0
       else: pool -> e at 64      dense reads t or e: an address known only when the graph runs

   O(graph). */
enum status addresses_are_static(const struct graph *graph, const struct placement *placement,
                                 bool *are_static, struct error *error);

#endif
