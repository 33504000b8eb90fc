#ifndef MEMPLAN_HEURISTICS_COMMON_MAX_TREE_H
#define MEMPLAN_HEURISTICS_COMMON_MAX_TREE_H

#include <stdint.h>

#include "core/scratch.h"

/* Numbers at positions 0 .. positions - 1 under a tree of their maxima, which finds the next
   position whose number is above a bound. Everything is O(log positions). */

#define MAX_TREE_NONE UINT32_MAX

struct max_tree {
    /* [2 * leaves] the greatest number below each node; node i has the children 2i and 2i + 1 */
    int64_t *most;
    uint32_t leaves;
};

/* Creates the tree; all numbers are INT64_MIN. */
enum status max_tree_create(struct max_tree *tree, uint32_t positions, struct scratch *scratch,
                            struct error *error);

/* Puts a number, also a lower one, at a position. */
void max_tree_set(struct max_tree *tree, uint32_t position, int64_t number);
/* The first position from `from` on whose number is above the bound, or MAX_TREE_NONE. */
uint32_t max_tree_next(const struct max_tree *tree, uint32_t from, int64_t bound);

#endif
