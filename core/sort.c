#include "core/sort.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

enum { BITS = 8, VALUES = 1 << BITS };

void sort_with_scratch(struct sort_columns items, struct sort_columns scratch, size_t count)
{
    size_t start[VALUES];
    struct sort_columns from = items, to = scratch;
    uint64_t differing = 0;
    for (size_t i = 1; i < count; i++)
        differing |= items.key[i] ^ items.key[0];
    /* Digits begin at bits in which keys differ, so that sizes in round numbers cost no more than
       others. */
    while (differing) {
        unsigned shift = (unsigned)__builtin_ctzll(differing);
        size_t next = 0;
        memset(start, 0, sizeof start);
        for (size_t i = 0; i < count; i++)
            start[from.key[i] >> shift & (VALUES - 1)]++;
        for (unsigned value = 0; value < VALUES; value++) {
            size_t here = start[value];
            start[value] = next;
            next += here;
        }
        for (size_t i = 0; i < count; i++) {
            size_t place = start[from.key[i] >> shift & (VALUES - 1)]++;
            to.key[place] = from.key[i];
            to.item[place] = from.item[i];
        }
        differing &= ~((uint64_t)(VALUES - 1) << shift);
        struct sort_columns swapped = from;
        from = to;
        to = swapped;
    }
    if (from.key == items.key)
        return;
    memcpy(items.key, from.key, count * sizeof *items.key);
    memcpy(items.item, from.item, count * sizeof *items.item);
}

enum status sort_items(uint64_t *key, uint32_t *item, size_t count, struct error *error)
{
    SCOPED(memory_release) uint64_t *keys = NULL;
    SCOPED(memory_release) uint32_t *items = NULL;
    if (count < 2)
        return STATUS_OK;
    TRY(memory_create_all(count, error, &keys, &items));
    sort_with_scratch((struct sort_columns){key, item}, (struct sort_columns){keys, items}, count);
    return STATUS_OK;
}

static uint64_t find_key(const struct sort_key *key, const void *context, uint32_t number)
{
    if (key->value)
        return key->value(context, number);
    const void *at = (const char *)key->first + key->offset + number * key->stride;
    assert(key->bytes == sizeof(uint32_t) || key->bytes == sizeof(uint64_t));
    return key->bytes == sizeof(uint32_t) ? *(const uint32_t *)at : *(const uint64_t *)at;
}

/* sort_items keeps equal keys in their order, so it sorts by the last key first. */
enum status sort_by_keys(const struct sort_key key[SORT_MOST_KEYS], const void *context,
                         uint32_t count, uint32_t *sorted, struct error *error)
{
    SCOPED(memory_release) uint64_t *column = NULL;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    TRY(memory_create(&column, count, sizeof *column, error));
    for (int k = SORT_MOST_KEYS; k-- > 0;) {
        if (!key[k].value && !key[k].first)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t value = find_key(&key[k], context, sorted[i]);
            column[i] = key[k].descending ? ~value : value;
        }
        TRY(sort_items(column, sorted, count, error));
    }
    return STATUS_OK;
}
