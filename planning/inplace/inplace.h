#ifndef MEMPLAN_PLANNING_INPLACE_INPLACE_H
#define MEMPLAN_PLANNING_INPLACE_INPLACE_H

#include "planning/plan/placement.h"

struct inplace_pass;

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
   planning/inplace/borders.c. */

struct inplace_rules {
    const char *name;
    const char *title;  /* one line */
    const char *source; /* where the rules come from */
    /* Private, planning/inplace/pass.h. */
    void (*merge)(struct inplace_pass *pass);      /* of plain operators; NULL: nothing is merged */
    void (*merge_loop)(struct inplace_pass *pass); /* of loops; NULL: no border is crossed */
};

/* The sets of rules, "none" first. */
uint32_t inplace_count(void);
const struct inplace_rules *inplace_at(uint32_t index);
const struct inplace_rules *inplace_find(const char *name); /* NULL if there is none */

struct inplace_choice {
    const struct inplace_rules *rules; /* NULL: none */
    const char *disabled; /* types of operators that get none, separated by commas; or NULL */
};

/* Fills overwrites and is_view of a placement created for the graph, on which nothing overwrites
   anything yet. O(uses + in-place pairs * operands of an operator). */
enum status inplace_apply(const struct graph *graph, const struct inplace_choice *choice,
                          struct placement *placement, struct error *error);

/* Some set of rules may merge the output of operator o at position `output` with its input at
   position `input`: the graph or the type of the operator says so, or the operator is an assign and
   the input its variable. */
bool inplace_is_possible(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output);

/* The output of operator o at position `output` holds what its input at position `input` holds, by
   the operator's type. */
bool inplace_is_view(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output);

#endif
