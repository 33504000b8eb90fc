#ifndef MEMPLAN_PLANNING_INPLACE_PASS_H
#define MEMPLAN_PLANNING_INPLACE_PASS_H

#include "planning/inplace/pairs.h"
#include "planning/plan/placement.h"

/* What the rules of planning/inplace/rules.c know of the pass. They are called for one operator at
   a time, in execution order, except for disabled types. */

struct inplace_pass {
    const struct graph *graph;
    struct placement *placement;
    uint32_t op;                     /* the operator that is looked at */
    const struct inplace_type *type; /* its type, or NULL */
    uint32_t *root;                  /* [tensors] the tensor in whose place it is */
    uint32_t *uses;    /* [tensors] how often each is an input, init, yield or graph output */
    uint64_t *pending; /* [tensors] of a root: the uses, from this operator on, of all tensors in
                          its place */
    uint32_t *yields;  /* [tensors] how often regions of operators and carried values yield it */
    uint32_t region;   /* that holds the operator; set only for rules that cross borders */
    bool *is_output;   /* [tensors] whether each is an output of the graph */
    /* Where the pairs of all orders are asked for, merges are listed here, and a use counts as the
       last one if it is the last one in some order; else NULL. */
    struct inplace_possibles *found;
    enum status status; /* of listing */
    struct error *error;
};

/* Positions among the operator's inputs and outputs, and the tensors there. */
struct inplace_pair {
    uint32_t input_position, output_position;
    uint32_t input, output;
};

/* The operator that is looked at, and a pair of its inputs and outputs by their positions. */
const struct graph_operator *inplace_operator(const struct inplace_pass *pass);
struct inplace_pair inplace_get_pair(const struct inplace_pass *pass, uint32_t input_position,
                                     uint32_t output_position);

/* Whether the graph or the operator's type allows the pair. */
bool inplace_is_allowed(const struct inplace_pass *pass, uint32_t input_position,
                        uint32_t output_position);
/* Calls attempt for every allowed pair: those that the graph declares, in its order, then those of
   the operator's type. */
void inplace_try_pairs(struct inplace_pass *pass,
                       void (*attempt)(struct inplace_pass *pass, const struct inplace_pair *pair));

/* Whether both have the same number of bytes and, where both shapes are known, of elements. */
bool inplace_are_alike(const struct inplace_pass *pass, const struct inplace_pair *pair);
/* Whether both are in the arena and on one device, the output has no more bytes than the input, and
   neither is yielded. */
bool inplace_fits(const struct inplace_pass *pass, const struct inplace_pair *pair);
/* What every set of rules asks of a pair: it fits, and this operator has merged neither tensor. */
bool inplace_may_share(const struct inplace_pass *pass, const struct inplace_pair *pair);
/* Whether a plain operator of the same region wrote the tensor. */
bool inplace_is_written_beside(const struct inplace_pass *pass, uint32_t tensor);
/* Whether this operator makes the only use of the tensor's place that is still to come. */
bool inplace_is_last_use(const struct inplace_pass *pass, uint32_t tensor);
/* Whether the pair may share a place because the input is no longer needed: this operator makes the
   last use of it, and the output is no output of the graph. */
bool inplace_may_die(const struct inplace_pass *pass, const struct inplace_pair *pair);

/* Lists a pair of an operator if the pairs of all orders are asked for. */
void inplace_list(struct inplace_pass *pass, const struct inplace_possible *possible);
/* Puts the output in the place of the input, whose pending uses then include those of the output.
   The output has not been merged before. is_view: it holds what the input holds. */
void inplace_merge(struct inplace_pass *pass, const struct inplace_pair *pair, bool is_view);
/* Gives a tensor that was merged, and that nothing was merged with, a place of its own again. */
void inplace_part(struct inplace_pass *pass, uint32_t tensor);

#endif
