#ifndef MEMPLAN_PLANNING_INPLACE_INPLACE_H
#define MEMPLAN_PLANNING_INPLACE_INPLACE_H

#include "planning/inplace/pairs.h"
#include "planning/inplace/rules.h"
#include "planning/plan/placement.h"

/* The in-place pass decides which outputs are written in the place of an input of their operator,
   so that they need no place of their own.

       conv -> t               t and u are one buffer of the problem, live from conv to dense
       relu t -> u     u overwrites t
       dense u -> r

   Under every set of rules, an output shares the place of an input only where
   - the operator has no regions, and the graph says in the operator's `inplace` that this output
     may be written over this input, or its type is a row of planning/inplace/types.h;
   - both are in the arena and the output has no more bytes than the input;
   - the input was written in the same region by an operator without regions, so that neither is a
     graph input, the result or a carried value of a loop, or the result of an If;
   - no region of an operator yields the input or the output, since a policy decides where yields
     are;
   - nothing in the place is read after this operator, on any path, and this operator reads it once.
     This is not asked of views, since their output holds what the input holds.
   Rules that cross borders (planning/inplace/rules.c) also let an output in a branch share the
   place of an input from outside, a carried argument the place of its init, and what a body yields
   the place of the argument. */

struct inplace_choice {
    const struct inplace_rules *rules; /* NULL: none */
    const char *disabled; /* types of operators whose outputs share no place, separated by commas;
                             or NULL */
};

/* Lists every pair that inplace_apply merges for any order of the operators in the graph's regions,
   and perhaps more pairs. Pairs that the rules `borders` merge across borders are not listed.
   *found is zero-initialised; the caller clears it, also where this fails. O(graph + pairs log
   pairs). */
enum status inplace_find_possible(const struct graph *graph, const struct inplace_choice *choice,
                                  struct inplace_possibles *found, struct error *error);
void inplace_possibles_clear(struct inplace_possibles *possibles);

/* Fills overwrites and is_view of a placement created for the graph, on which nothing overwrites
   anything yet. O(uses + in-place pairs * operands of an operator). */
enum status inplace_apply(const struct graph *graph, const struct inplace_choice *choice,
                          struct placement *placement, struct error *error);

#endif
