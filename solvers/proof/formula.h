#ifndef MEMPLAN_SOLVERS_PROOF_FORMULA_H
#define MEMPLAN_SOLVERS_PROOF_FORMULA_H

#include "core/scratch.h"
#include "core/text.h"
#include "solvers/exact/learn/state.h"

/* A part of a problem and a capacity as a pseudo-Boolean formula (OPB, docs/proofs.md), which has a
   solution where some plan of the part fits. It has a variable for each buffer and each of its
   offsets but the least, which says whether the buffer lies there or above, and one for each choice
   of the search, which says whether its first literal holds. */

/* A literal is a variable, from 1 on, or its negative. These are always true and always false. */
#define FORMULA_TRUE INT64_MAX
#define FORMULA_FALSE (-INT64_MAX)

struct formula {
    const struct exact_learn *learn;
    int64_t capacity;   /* units */
    int64_t *least;     /* [buffers] offset, units */
    int64_t *offsets;   /* [buffers] how many it may have, less one: how many variables */
    uint64_t *variable; /* [buffers] the first one, less one */
    uint64_t *chain;    /* [buffers] its first constraint that says that a variable implies the one
                           before, less one */
    uint64_t *excludes; /* [2 * choices] the first constraint of a literal */
    int64_t *skipped;   /* [2 * choices] for how many of the least offsets there is none */
    uint64_t choices;   /* the variable of the first choice, less one */
    uint64_t variables, constraints;
};

enum { FORMULA_MOST_CONSTRAINTS = 1 << 21 };

/* Counts variables and constraints, into arrays of the scratch. *why_not says why the formula is
   not written, if it is not. */
enum status formula_create(const struct exact_learn *learn, int64_t capacity,
                           struct scratch *scratch, struct formula *formula, const char **why_not,
                           struct error *error);

/* Appends the formula; its constraints are numbered from 1 on. Buffer i of the part is buffer[i] of
   the problem. */
void formula_write(const struct formula *formula, const uint32_t *buffer, struct text *text);

/* The literal which says that the buffer's offset is at least this, and the one which says that a
   literal of the search holds. */
int64_t formula_at_least(const struct formula *formula, uint32_t buffer, int64_t offset);
int64_t formula_literal(const struct formula *formula, uint32_t literal);

/* Appends the constraint that at least one of these is true, without its end. */
void formula_write_clause(const int64_t *literal, size_t count, struct text *text);

/* A member of a section covers an address unless its offset is too low (below `from`) or too high
   (`to` or above). So the sum of the literals -at_from and at_to is 0 where it covers the address,
   and else 1. */
struct formula_cover {
    uint32_t buffer;
    int64_t from, to;
    int64_t at_from, at_to; /* literals */
    bool can;               /* it can cover the address */
};
struct formula_cover formula_find_cover(const struct formula *formula, uint64_t member,
                                        int64_t address);

/* Terms of a sum of constraints, in reverse Polish notation. Adds a literal as an axiom, unless it
   is a constant. */
void formula_put_literal(int64_t literal, struct text *text);

/* Adds that a buffer at `to` or above is at `from` or above; both are offsets. Of two that are
   constants nothing is left, of one the other literal as an axiom. */
void formula_put_chain(const struct formula *formula, uint32_t buffer, int64_t at_from,
                       int64_t at_to, struct text *text);

/* Adds (or begins the sum with) the constraint of a literal, the lower member's offset being
   at_least `from`, and what leads from there to the upper member being at `to` of its cover or
   above. */
void formula_put_exclusion(const struct formula *formula, bool adds, uint32_t literal,
                           const struct formula_cover *lower, const struct formula_cover *upper,
                           struct text *text);

#endif
