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

/* False where the digest was in the table already. */
static bool note_digest(struct exact_shelf *shelf, uint64_t digest)
{
    uint32_t mask = shelf->digests - 1, at = (uint32_t)digest & mask;
    digest += !digest;
    for (; shelf->digest[at]; at = (at + 1) & mask)
        if (shelf->digest[at] == digest)
            return false;
    shelf->digest[at] = digest;
    assert(shelf->taken < shelf->digests / 2);
    shelf->taken++;
    return true;
}

static void swap(struct exact_shelf *shelf, uint32_t a, uint32_t b)
{
    struct exact_shelved kept = shelf->heap[a];
    shelf->heap[a] = shelf->heap[b];
    shelf->heap[b] = kept;
}

static void move_up(struct exact_shelf *shelf, uint32_t at)
{
    for (; at && shelf->heap[(at - 1) / 2].price < shelf->heap[at].price; at = (at - 1) / 2)
        swap(shelf, at, (at - 1) / 2);
}

static void move_down(struct exact_shelf *shelf, uint32_t at)
{
    for (;;) {
        uint32_t dearest = at;
        for (uint32_t below = 2 * at + 1; below <= 2 * at + 2 && below < shelf->count; below++)
            if (shelf->heap[below].price > shelf->heap[dearest].price)
                dearest = below;
        if (dearest == at)
            return;
        swap(shelf, at, dearest);
        at = dearest;
    }
}

void *exact_shelf_add(struct exact_shelf *shelf, double price, uint64_t digest)
{
    assert(exact_shelf_wants(shelf, price));
    if (!note_digest(shelf, digest))
        return NULL;
    uint32_t place = shelf->count;
    if (shelf->count < shelf->room) {
        shelf->heap[shelf->count++] = (struct exact_shelved){price, place};
        move_up(shelf, place);
    } else {
        place = shelf->heap[0].place;
        shelf->heap[0].price = price;
        move_down(shelf, 0);
    }
    return shelf->thing + place * shelf->bytes;
}

const void *exact_shelf_at(const struct exact_shelf *shelf, uint32_t index)
{
    assert(index < shelf->count);
    return shelf->thing + index * shelf->bytes;
}
