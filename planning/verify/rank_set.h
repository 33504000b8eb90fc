#ifndef MEMPLAN_PLANNING_VERIFY_RANK_SET_H
#define MEMPLAN_PLANNING_VERIFY_RANK_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/scratch.h"

/* A set of numbers below a size, which finds the members next to a number. It is a tree of bits: a
   bit of a higher level says whether a word of the level below has any. All calls but
   rank_set_create are O(log size), base 64. */
enum { RANK_SET_LEVELS = 6 };

struct rank_set {
    uint64_t *word[RANK_SET_LEVELS]; /* level 0 has a bit for each number */
    uint32_t levels;
};

/* An empty set, which lives as long as the scratch. */
enum status rank_set_create(uint32_t size, struct rank_set *set, struct scratch *scratch,
                            struct error *error);

/* Put a number in, or take it out. Nothing changes if it is in already, or is not in. */
void rank_set_insert(struct rank_set *set, uint32_t number);
void rank_set_remove(struct rank_set *set, uint32_t number);
/* The greatest member below the number, and the least above it; false where there is none. */
bool rank_set_below(const struct rank_set *set, uint32_t number, uint32_t *below);
bool rank_set_above(const struct rank_set *set, uint32_t number, uint32_t *above);

#endif
