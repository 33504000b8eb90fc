#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_VISITED_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A set of sets of operators: the downsets that a search has been at. Zero-initialise it but for
   words. */

struct order_visited {
    uint32_t words;  /* of each set */
    uint64_t *set;   /* [count][words] */
    uint64_t *hash;  /* [count] */
    bool *forgotten; /* [count] */
    uint64_t *table; /* [table_size] a hash table: upper half of the hash, then the set's number */
    uint32_t count, table_size;
    size_t set_capacity, hash_capacity, forgotten_capacity;
};

void order_visited_free(struct order_visited *visited);
/* Forgets all sets, and keeps the memory. */
void order_visited_clear(struct order_visited *visited);
uint64_t order_visited_bytes(const struct order_visited *visited); /* of memory */

/* Adds a set, unless it is there. *number is its number; *is_new: it was not there, or had been
   forgotten. O(words) expected. */
enum status order_visited_add(struct order_visited *visited, const uint64_t *set, uint64_t hash,
                              bool *is_new, uint32_t *number, struct error *error);
void order_visited_forget(struct order_visited *visited, uint32_t number);

#endif
