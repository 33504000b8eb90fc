#ifndef MEMPLAN_PLANNING_SIZES_SPREAD_H
#define MEMPLAN_PLANNING_SIZES_SPREAD_H

#include "planning/sizes/sizes.h"

/* Expressions in which each variable occurs at most once in a product. What is no sum and no
   product, a parameter or ceil(a / 2), is a base; a base that is multiplied by itself becomes
   several variables, its copies. So n*n + 3*ceil(n / 2) is spread to a*b + 3*c. Where each variable
   has the value of its base, each expression has its own value. And where each variable may take
   any value of a range, all expressions together are a weighted mean of what they are at the
   corners, with the same weights for each of them. */
struct spread_sizes {
    struct symbolic_sizes base;   /* over the parameters of the source; it has no names */
    struct symbolic_sizes spread; /* over the variables */
    uint32_t variables;
    uint32_t *variable_base; /* [variables] */
};
enum { SPREAD_MOST_VARIABLES = 6 };

/* Spreads the expressions e with same[e] == e; the others are left empty. *spread is NULL where
   there would be too many variables. The caller frees it. O(steps of all expressions), for a
   product of long sums its square. */
enum status spread_create(const struct symbolic_sizes *sizes, const uint32_t *same,
                          struct spread_sizes **spread, struct error *error);
void spread_free(struct spread_sizes *spread); /* NULL is fine */
SCOPED_POINTER(struct spread_sizes, spread_release, spread_free);

#endif
