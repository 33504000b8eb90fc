#ifndef MEMPLAN_CORE_SET_TABLE_H
#define MEMPLAN_CORE_SET_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#define SET_TABLE_NONE UINT32_MAX

/* Sets of numbers, each an array of words with one bit for each number. Sets are numbered from 0 in
   the order in which they are added, and are found by their members. The caller computes the hash
   of a set, since it may derive it from the hash of a similar set. Zero-initialise all but
   `words`. */
struct set_table {
    uint32_t words; /* of each set */
    uint32_t count; /* of the sets that were added */
    uint32_t first; /* the sets before this one are not found any more */
    uint32_t slots; /* a power of two, or 0 */
    uint64_t *set;  /* [count][words] */
    uint64_t *hash; /* [count] */
    uint32_t *slot; /* [slots] a hash table of numbers of sets; SET_TABLE_NONE: empty slot */
    size_t set_capacity, hash_capacity;
};

void set_table_free(struct set_table *table); /* words stays */

/* set_table_clear forgets all sets but keeps the memory. set_table_hide keeps the sets and their
   numbers too, but they are not found any more. */
void set_table_clear(struct set_table *table);
void set_table_hide(struct set_table *table);

/* The number of a set, SET_TABLE_NONE where it is not there. O(words) expected. */
uint32_t set_table_find(const struct set_table *table, const uint64_t *set, uint64_t hash);

/* Adds a set; its number is the value that table->count had before. Where an equal set is there
   already, set_table_find gives the new number from now on. O(words) expected. */
enum status set_table_add(struct set_table *table, const uint64_t *set, uint64_t hash,
                          struct error *error);

/* The set [words] of a number, valid until the next one is added. */
static inline const uint64_t *set_table_at(const struct set_table *table, uint32_t number)
{
    return table->set + (size_t)number * table->words;
}

uint64_t set_table_bytes(const struct set_table *table); /* of memory */

#endif
