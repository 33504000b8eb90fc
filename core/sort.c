#include "core/sort.h"

#include <stdbool.h>
#include <string.h>

#include "core/memory.h"

enum { BYTES = 8, VALUES = 256 };

struct columns {
    uint64_t *key;
    uint32_t *item;
};

static void count_bytes(const uint64_t *key, size_t count, size_t counts[BYTES][VALUES])
{
    memset(counts, 0, BYTES * sizeof *counts);
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < BYTES; byte++)
            counts[byte][key[i] >> (byte * 8) & 0xff]++;
}

/* From how often each value comes to where its first one goes; false where all keys agree. */
static bool find_starts(size_t counts[VALUES], size_t count)
{
    size_t start = 0;
    for (unsigned value = 0; value < VALUES; value++) {
        size_t here = counts[value];
        if (here == count)
            return false;
        counts[value] = start;
        start += here;
    }
    return true;
}

static void scatter(struct columns from, struct columns to, size_t count, unsigned byte,
                    size_t start[VALUES])
{
    for (size_t i = 0; i < count; i++) {
        size_t place = start[from.key[i] >> (byte * 8) & 0xff]++;
        to.key[place] = from.key[i];
        to.item[place] = from.item[i];
    }
}

static void sort_columns(struct columns items, struct columns scratch, size_t count)
{
    size_t counts[BYTES][VALUES];
    struct columns from = items, to = scratch;
    count_bytes(items.key, count, counts);
    for (unsigned byte = 0; byte < BYTES; byte++) {
        if (!find_starts(counts[byte], count))
            continue;
        scatter(from, to, count, byte, counts[byte]);
        struct columns swapped = from;
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
    struct columns scratch = {0};
    enum status status;
    if (count < 2)
        return STATUS_OK;
    TRY_OR_DONE(status, memory_create(&scratch.key, count, sizeof *scratch.key, error));
    TRY_OR_DONE(status, memory_create(&scratch.item, count, sizeof *scratch.item, error));
    sort_columns((struct columns){key, item}, scratch, count);
done:
    memory_free(scratch.key);
    memory_free(scratch.item);
    return status;
}
