#include "solvers/exact/race/shelf.h"

#include <assert.h>
#include <string.h>

enum status exact_shelf_fill(struct exact_shelf *shelf, uint32_t room, uint32_t most, size_t bytes,
                             struct error *error)
{
    assert(room > 0 && most >= room && most <= UINT32_MAX / 4);
    *shelf = (struct exact_shelf){.room = room, .bytes = bytes, .digests = 1};
    while (shelf->digests < 2 * most)
        shelf->digests *= 2;
    TRY(scratch_take(&shelf->memory, &shelf->thing, room, bytes, error));
    TRY(scratch_take(&shelf->memory, &shelf->heap, room, sizeof *shelf->heap, error));
    return scratch_take(&shelf->memory, &shelf->digest, shelf->digests, sizeof *shelf->digest,
                        error);
}

void exact_shelf_clear(struct exact_shelf *shelf)
{
    scratch_free(&shelf->memory);
    *shelf = (struct exact_shelf){0};
}

void exact_shelf_empty(struct exact_shelf *shelf)
{
    shelf->count = shelf->taken = 0;
    memset(shelf->digest, 0, shelf->digests * sizeof *shelf->digest);
}

bool exact_shelf_wants(const struct exact_shelf *shelf, double price)
{
    return shelf->count < shelf->room || price < shelf->heap[0].price;
}

void *exact_shelf_add(struct exact_shelf *shelf, double price, uint64_t digest)
{
    struct exact_shelved *heap = shelf->heap;
    uint32_t mask = shelf->digests - 1, slot = (uint32_t)digest & mask;
    assert(exact_shelf_wants(shelf, price) && (shelf->digests & mask) == 0);
    digest += !digest;
    for (; shelf->digest[slot]; slot = (slot + 1) & mask)
        if (shelf->digest[slot] == digest)
            return NULL;
    shelf->digest[slot] = digest;
    assert(shelf->taken < shelf->digests / 2);
    shelf->taken++;

    /* The new one moves up from the end, or down from the top in place of the dearest. */
    uint32_t at = shelf->count, place = at;
    if (shelf->count < shelf->room) {
        shelf->count++;
        for (; at && heap[(at - 1) / 2].price < price; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
    } else {
        place = heap[0].place;
        at = 0;
        for (;;) {
            uint32_t below = 2 * at + 1;
            if (below + 1 < shelf->count && heap[below + 1].price > heap[below].price)
                below++;
            if (below >= shelf->count || heap[below].price <= price)
                break;
            heap[at] = heap[below];
            at = below;
        }
    }
    assert(place < shelf->room && (!at || heap[(at - 1) / 2].price >= price));
    heap[at] = (struct exact_shelved){price, place};
    return shelf->thing + place * shelf->bytes;
}

const void *exact_shelf_at(const struct exact_shelf *shelf, uint32_t index)
{
    assert(index < shelf->count);
    return shelf->thing + index * shelf->bytes;
}
