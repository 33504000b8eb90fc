#ifndef MEMPLAN_PLANNING_INPLACE_ASSIGN_H
#define MEMPLAN_PLANNING_INPLACE_ASSIGN_H

#include "planning/inplace/pass.h"

/* NNVM's DecorateMemoryPlan on an assign, which writes a value into a variable: here an input of
   the graph, or what an assign before has put into it.

       v = relu(x)          second case: out is in w's place, v has one of its own
       out = assign(w, v)   third case: v is computed straight into w, the assign does nothing

   It is the third case where nobody else reads v, and v is no variable. The variable is either an
   input, which the assign reads (then there is no third case), or ignored, which it does not read.
   Narrowed where the source is unsafe: what is in the variable must not be read later under its old
   name; in the third case nobody may read or write it from v's operator to the assign. O(operators
   between the two). */
void inplace_merge_assign(struct inplace_pass *pass);

#endif
