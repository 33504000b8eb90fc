#include "core/set_table.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

enum { FIRST_SLOTS = 64 };

void set_table_free(struct set_table *table)
{
    memory_free_all(table->set, table->hash, table->slot);
    *table = (struct set_table){.words = table->words};
}

void set_table_hide(struct set_table *table)
{
    table->first = table->count;
    if (table->slots)
        memset(table->slot, 0xff, table->slots * sizeof *table->slot);
}

void set_table_clear(struct set_table *table)
{
    table->count = 0;
    set_table_hide(table);
}

/* The slot of the set, or the empty one where it belongs. At most half of the slots are taken, so
   that there is one. */
static uint32_t find_slot(const struct set_table *table, const uint64_t *set, uint64_t hash)
{
    uint32_t mask = table->slots - 1, at = (uint32_t)hash & mask, number;
    for (; (number = table->slot[at]) != SET_TABLE_NONE; at = (at + 1) & mask)
        if (table->hash[number] == hash &&
            memcmp(set_table_at(table, number), set, table->words * sizeof *set) == 0)
            break;
    return at;
}

uint32_t set_table_find(const struct set_table *table, const uint64_t *set, uint64_t hash)
{
    return table->slots ? table->slot[find_slot(table, set, hash)] : SET_TABLE_NONE;
}

/* Doubles the slots before more than half of them are taken. */
static enum status grow(struct set_table *table, struct error *error)
{
    uint32_t *old = table->slot, before = table->slots;
    if (table->count - table->first < before / 2)
        return STATUS_OK;
    uint32_t slots = before ? 2 * before : FIRST_SLOTS;
    TRY(memory_create(&table->slot, slots, sizeof *table->slot, error));
    table->slots = slots;
    memset(table->slot, 0xff, slots * sizeof *table->slot);
    for (uint32_t i = 0; i < before; i++) {
        if (old[i] == SET_TABLE_NONE)
            continue;
        uint32_t at = (uint32_t)table->hash[old[i]] & (slots - 1);
        while (table->slot[at] != SET_TABLE_NONE)
            at = (at + 1) & (slots - 1);
        table->slot[at] = old[i];
    }
    memory_free(old);
    return STATUS_OK;
}

enum status set_table_add(struct set_table *table, const uint64_t *set, uint64_t hash,
                          struct error *error)
{
    size_t words = table->words, count = (size_t)table->count + 1;
    assert(table->first <= table->count && table->count < SET_TABLE_NONE);
    TRY(grow(table, error));
    TRY(memory_reserve(&table->set, &table->set_capacity, count * words, sizeof *set, error));
    TRY(memory_reserve(&table->hash, &table->hash_capacity, count, sizeof hash, error));
    memcpy(table->set + table->count * words, set, words * sizeof *set);
    table->hash[table->count] = hash;
    table->slot[find_slot(table, set, hash)] = table->count;
    table->count++;
    return STATUS_OK;
}

uint64_t set_table_bytes(const struct set_table *table)
{
    return table->set_capacity * sizeof *table->set + table->hash_capacity * sizeof *table->hash +
           (uint64_t)table->slots * sizeof *table->slot;
}
