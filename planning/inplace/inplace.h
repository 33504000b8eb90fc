#ifndef MEMPLAN_PLANNING_INPLACE_INPLACE_H
#define MEMPLAN_PLANNING_INPLACE_INPLACE_H

#include "planning/inplace/pairs.h"
#include "planning/inplace/rules.h"
#include "planning/plan/placement.h"

/* The in-place pass: which outputs are written in the place of an input of their operator, so that
   they need none of their own.

       conv -> t               t and u are one buffer of the problem, live from conv to dense
       relu t -> u     u overwrites t
       dense u -> r

   Whatever a rule set allows, an output shares an input's place only where
   - the operator has no regions, and the graph says in the operator's `inplace` that this output
     may be written over this input, or its type is a row of planning/inplace/types.h;
   - both are in the arena and the output has no more bytes;
   - the input was written in the same region by an operator without regions, so that neither is a
     graph input, the result or a carried value of a loop, or the result of an If;
   - no region of an operator yields either, since a policy decides where yields are;
   - nothing in the place is read after this operator, on any path, and this operator reads it once.
     The last is not asked of views: their output holds what the input holds.
   Rules that cross borders have an output in a branch share the place of an input from outside, a
   carried argument that of its init, and what a body yields that of the argument, by
   planning/inplace/rules.c. */

struct inplace_choice {
    const struct inplace_rules *rules; /* NULL: none */
    const char *disabled; /* types of operators that get none, separated by commas; or NULL */
};

/* Lists every pair that inplace_apply merges for the graph with the operators of its regions in any
   order, and perhaps more; what `borders` merges across borders is not among them. *found is
   zero-initialised; the caller clears it, also where this fails. O(graph + pairs log pairs). */
enum status inplace_find_possible(const struct graph *graph, const struct inplace_choice *choice,
                                  struct inplace_possibles *found, struct error *error);
void inplace_possibles_clear(struct inplace_possibles *possibles);

/* Fills overwrites and is_view of a placement created for the graph, on which nothing overwrites
   anything yet. O(uses + in-place pairs * operands of an operator). */
enum status inplace_apply(const struct graph *graph, const struct inplace_choice *choice,
                          struct placement *placement, struct error *error);

#endif
