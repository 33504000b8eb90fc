#include "solvers/order_exact/model/visited.h"

#include <string.h>

#include "core/memory.h"

enum { FIRST_TABLE_SIZE = 1024 };

#define NO_NUMBER UINT32_MAX /* the lower half of an empty slot */

#define EMPTY_SLOT UINT64_MAX

void order_visited_free(struct order_visited *visited)
{
    memory_free(visited->set);
    memory_free(visited->hash);
    memory_free(visited->forgotten);
    memory_free(visited->table);
    *visited = (struct order_visited){.words = visited->words};
}

void order_visited_clear(struct order_visited *visited)
{
    visited->count = 0;
    if (visited->table)
        memset(visited->table, 0xff, visited->table_size * sizeof *visited->table);
}

uint64_t order_visited_bytes(const struct order_visited *visited)
{
    return visited->set_capacity * sizeof *visited->set +
           visited->hash_capacity * sizeof *visited->hash + visited->forgotten_capacity +
           (uint64_t)visited->table_size * sizeof *visited->table;
}

/* The upper half of the hash tells most other sets apart without a look at them. */
static uint64_t make_slot(uint64_t hash, uint32_t number)
{
    return (hash & ~(uint64_t)UINT32_MAX) | number;
}

static uint32_t find_slot(const struct order_visited *visited, const uint64_t *set, uint64_t hash)
{
    uint32_t mask = visited->table_size - 1, slot = (uint32_t)hash & mask;
    size_t words = visited->words;
    for (; visited->table[slot] != EMPTY_SLOT; slot = (slot + 1) & mask) {
        uint32_t number = (uint32_t)visited->table[slot];
        if (visited->table[slot] == make_slot(hash, number) &&
            memcmp(visited->set + number * words, set, words * sizeof *set) == 0)
            break;
    }
    return slot;
}

static enum status grow_table(struct order_visited *visited, struct error *error)
{
    uint64_t *old = visited->table;
    if (visited->count < visited->table_size / 2)
        return STATUS_OK;
    uint32_t size = old ? visited->table_size * 2 : FIRST_TABLE_SIZE;
    TRY(memory_create(&visited->table, size, sizeof *visited->table, error));
    memset(visited->table, 0xff, size * sizeof *visited->table);
    visited->table_size = size;
    for (uint32_t i = 0; i < visited->count; i++) {
        uint32_t slot = (uint32_t)visited->hash[i] & (size - 1);
        while (visited->table[slot] != EMPTY_SLOT)
            slot = (slot + 1) & (size - 1);
        visited->table[slot] = make_slot(visited->hash[i], i);
    }
    memory_free(old);
    return STATUS_OK;
}

enum status order_visited_add(struct order_visited *visited, const uint64_t *set, uint64_t hash,
                              bool *is_new, uint32_t *number, struct error *error)
{
    size_t words = visited->words;
    TRY(grow_table(visited, error));
    uint32_t slot = find_slot(visited, set, hash), at = (uint32_t)visited->table[slot];
    *number = at;
    *is_new = at == NO_NUMBER || visited->forgotten[at];
    if (at != NO_NUMBER) {
        visited->forgotten[at] = false;
        return STATUS_OK;
    }
    at = visited->count;
    TRY(memory_reserve(&visited->set, &visited->set_capacity, (at + (size_t)1) * words,
                       sizeof *visited->set, error));
    TRY(memory_reserve(&visited->hash, &visited->hash_capacity, at + (size_t)1,
                       sizeof *visited->hash, error));
    TRY(memory_reserve(&visited->forgotten, &visited->forgotten_capacity, at + (size_t)1,
                       sizeof *visited->forgotten, error));
    memcpy(visited->set + at * words, set, words * sizeof *set);
    visited->hash[at] = hash;
    visited->forgotten[at] = false;
    visited->table[slot] = make_slot(hash, at);
    *number = visited->count++;
    return STATUS_OK;
}

void order_visited_forget(struct order_visited *visited, uint32_t number)
{
    visited->forgotten[number] = true;
}
