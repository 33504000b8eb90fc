#include "solvers/exact/race/cheapest.h"

#include <assert.h>
#include <string.h>

enum status exact_cheapest_fill(struct exact_cheapest *cheapest, uint32_t room, uint32_t most,
                                size_t bytes, struct error *error)
{
    assert(room > 0 && most >= room && most <= UINT32_MAX / 4);
    *cheapest = (struct exact_cheapest){.room = room, .bytes = bytes, .digests = 1};
    while (cheapest->digests < 2 * most)
        cheapest->digests *= 2;
    TRY(scratch_take(&cheapest->memory, &cheapest->thing, room, bytes, error));
    TRY(scratch_take(&cheapest->memory, &cheapest->heap, room, sizeof *cheapest->heap, error));
    return scratch_take(&cheapest->memory, &cheapest->digest, cheapest->digests,
                        sizeof *cheapest->digest, error);
}

void exact_cheapest_clear(struct exact_cheapest *cheapest)
{
    scratch_free(&cheapest->memory);
    *cheapest = (struct exact_cheapest){0};
}

void exact_cheapest_empty(struct exact_cheapest *cheapest)
{
    cheapest->count = cheapest->taken = 0;
    memset(cheapest->digest, 0, cheapest->digests * sizeof *cheapest->digest);
}

bool exact_cheapest_wants(const struct exact_cheapest *cheapest, double price)
{
    return cheapest->count < cheapest->room || price < cheapest->heap[0].price;
}

void *exact_cheapest_add(struct exact_cheapest *cheapest, double price, uint64_t digest)
{
    struct exact_priced *heap = cheapest->heap;
    uint32_t mask = cheapest->digests - 1, slot = (uint32_t)digest & mask;
    assert(exact_cheapest_wants(cheapest, price) && (cheapest->digests & mask) == 0);
    digest += !digest;
    for (; cheapest->digest[slot]; slot = (slot + 1) & mask)
        if (cheapest->digest[slot] == digest)
            return NULL;
    cheapest->digest[slot] = digest;
    assert(cheapest->taken < cheapest->digests / 2);
    cheapest->taken++;

    /* The new one moves up from the end, or down from the top, where the one with the highest price
       was. */
    uint32_t at = cheapest->count, place = at;
    if (cheapest->count < cheapest->room) {
        cheapest->count++;
        for (; at && heap[(at - 1) / 2].price < price; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
    } else {
        place = heap[0].place;
        at = 0;
        for (;;) {
            uint32_t below = 2 * at + 1;
            if (below + 1 < cheapest->count && heap[below + 1].price > heap[below].price)
                below++;
            if (below >= cheapest->count || heap[below].price <= price)
                break;
            heap[at] = heap[below];
            at = below;
        }
    }
    assert(!at || heap[(at - 1) / 2].price >= price);
    heap[at] = (struct exact_priced){price, place};
    return cheapest->thing + place * cheapest->bytes;
}

const void *exact_cheapest_at(const struct exact_cheapest *cheapest, uint32_t index)
{
    assert(index < cheapest->count);
    return cheapest->thing + index * cheapest->bytes;
}
