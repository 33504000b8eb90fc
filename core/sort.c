#include "core/sort.h"

#include <string.h>

#include "core/memory.h"

enum { BITS = 8, VALUES = 1 << BITS };

/* So many bits of the key, from the bit `shift` on. */
static unsigned get_digit(uint64_t key, unsigned shift)
{
    return key >> shift & (VALUES - 1);
}

/* The bits in which some keys differ. */
static uint64_t find_differing(const uint64_t *key, size_t count)
{
    uint64_t differing = 0;
    for (size_t i = 1; i < count; i++)
        differing |= key[i] ^ key[0];
    return differing;
}

/* Finds where the first key with each value of the digit goes. */
static void find_starts(const uint64_t *key, size_t count, unsigned shift, size_t start[VALUES])
{
    size_t next = 0;
    memset(start, 0, VALUES * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[get_digit(key[i], shift)]++;
    for (unsigned value = 0; value < VALUES; value++) {
        size_t here = start[value];
        start[value] = next;
        next += here;
    }
}

static void scatter(struct sort_columns from, struct sort_columns to, size_t count, unsigned shift,
                    size_t start[VALUES])
{
    for (size_t i = 0; i < count; i++) {
        size_t place = start[get_digit(from.key[i], shift)]++;
        to.key[place] = from.key[i];
        to.item[place] = from.item[i];
    }
}

/* Digits begin at bits in which keys differ, so that sizes in round numbers cost no more than
   others. */
void sort_with_scratch(struct sort_columns items, struct sort_columns scratch, size_t count)
{
    size_t start[VALUES];
    struct sort_columns from = items, to = scratch;
    uint64_t differing = find_differing(items.key, count);
    while (differing) {
        unsigned shift = (unsigned)__builtin_ctzll(differing);
        find_starts(from.key, count, shift, start);
        scatter(from, to, count, shift, start);
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
    struct sort_columns scratch = {0};
    enum status status;
    if (count < 2)
        return STATUS_OK;
    TRY_OR_DONE(status, memory_create(&scratch.key, count, sizeof *scratch.key, error));
    TRY_OR_DONE(status, memory_create(&scratch.item, count, sizeof *scratch.item, error));
    sort_with_scratch((struct sort_columns){key, item}, scratch, count);
done:
    memory_free(scratch.key);
    memory_free(scratch.item);
    return status;
}

/* sort_items keeps equal keys in their order, so it sorts by the last key first. */
enum status sort_by_keys(const struct sort_key key[SORT_MOST_KEYS], const void *context,
                         uint32_t count, uint32_t *sorted, struct error *error)
{
    uint64_t *column;
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    TRY(memory_create(&column, count, sizeof *column, error));
    for (int k = SORT_MOST_KEYS; k-- > 0 && !status;) {
        if (!key[k].value)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t value = key[k].value(context, sorted[i]);
            column[i] = key[k].descending ? ~value : value;
        }
        status = sort_items(column, sorted, count, error);
    }
    memory_free(column);
    return status;
}
