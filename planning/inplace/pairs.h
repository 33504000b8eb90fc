#ifndef MEMPLAN_PLANNING_INPLACE_PAIRS_H
#define MEMPLAN_PLANNING_INPLACE_PAIRS_H

#include "planning/graph/graph.h"
#include "planning/inplace/types.h"

/* Which outputs of an operator o may be written over which of its inputs, both named by their
   positions. The functions tell whether the graph, the type of the operator, or any set of rules
   allows it. O(pairs of o). */

/* The graph lists the pair in the operator's `inplace`. */
bool inplace_is_declared(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output);
/* The type, NULL for one that is not known, allows it, and both tensors have as many bytes. */
bool inplace_is_listed(const struct graph *graph, uint32_t o, const struct inplace_type *type,
                       uint32_t input, uint32_t output);

/* Some set of rules may merge the output of operator o at position `output` with its input at
   position `input`: the graph or the type of the operator says so, or the operator is an assign and
   the input its variable, or the value that the variable gets. */
bool inplace_is_possible(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output);

/* The type of operator o says that it writes a value into a variable. */
bool inplace_is_assign(const struct graph *graph, uint32_t o);
/* Operator o assigns its input, the value, to the tensor that it ignores, the variable, and has one
   output, the variable's new value. */
bool inplace_assigns_ignored(const struct graph *graph, uint32_t o);

/* The type of operator o says that its output at position `output` holds what its input at position
   `input` holds. For an assign that ignores its variable, the input is the value. */
bool inplace_is_view(const struct graph *graph, uint32_t o, uint32_t input, uint32_t output);

/* A pair that the rules merge in some order of the operators. */
struct inplace_possible {
    uint32_t op, input, output; /* operator of the graph, tensors */
    bool is_view;
};

struct inplace_possibles {
    struct inplace_possible *pair; /* [count] by operator, then by output */
    uint32_t count;
    size_t capacity;
    uint32_t *first; /* [operators + 1] into pair */
};

#endif
