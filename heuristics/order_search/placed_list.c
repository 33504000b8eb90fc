#include "heuristics/order_search/placed_list.h"

#include <string.h>

#include "core/memory.h"

enum { MOST_BUFFERS = 4096, LEAST_SHARE = 8 };

bool shelf_is_worth_it(const struct problem *problem, const struct conflicts *conflicts)
{
    uint64_t buffers = problem->buffers;
    return buffers <= MOST_BUFFERS && conflicts->first[buffers] * LEAST_SHARE >= buffers * buffers;
}

static void fill_rows(struct shelf *shelf, uint32_t buffers, const struct conflicts *conflicts)
{
    for (uint32_t b = 0; b < buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            shelf->row[(size_t)b * shelf->words + other / 64] |= (uint64_t)1 << other % 64;
        }
}

enum status shelf_create(const struct problem *problem, const struct conflicts *conflicts,
                         struct shelf **created, struct error *error)
{
    struct shelf *shelf;
    uint32_t buffers = problem->buffers;
    enum status status;
    TRY(memory_create(&shelf, 1, sizeof *shelf, error));
    shelf->words = (buffers + 63) / 64;
    TRY_OR_DONE(status, memory_create(&shelf->row, (size_t)buffers * shelf->words,
                                      sizeof *shelf->row, error));
    TRY_OR_DONE(status, memory_create(&shelf->item, buffers, sizeof *shelf->item, error));
    fill_rows(shelf, buffers, conflicts);
    *created = shelf;
done:
    if (status)
        shelf_free(shelf);
    return status;
}

void shelf_free(struct shelf *shelf)
{
    if (!shelf)
        return;
    memory_free(shelf->row);
    memory_free(shelf->item);
    memory_free(shelf);
}

void shelf_add(struct shelf *shelf, uint32_t buffer, uint64_t begin, uint64_t end)
{
    uint32_t low = 0, high = shelf->count++;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (shelf->item[middle].begin <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(shelf->item + low + 1, shelf->item + low,
            (shelf->count - 1 - low) * sizeof *shelf->item);
    shelf->item[low] = (struct shelved){begin, end, buffer};
}

static bool conflicts_with(const uint64_t *row, uint32_t other)
{
    return row[other / 64] >> other % 64 & 1;
}

/* Without branches on whether they conflict, which nothing could predict. */
static uint64_t find_unaligned(const struct shelf *shelf, const uint64_t *row, uint64_t size)
{
    const struct shelved *item = shelf->item, *end = item + shelf->count;
    uint64_t offset = 0;
    for (; item < end && item->begin < offset + size; item++) {
        uint64_t above = item->end > offset ? item->end : offset;
        offset = conflicts_with(row, item->buffer) ? above : offset;
    }
    return offset;
}

static uint64_t find_aligned(const struct shelf *shelf, const uint64_t *row, uint64_t size,
                             uint64_t alignment)
{
    const struct shelved *item = shelf->item, *end = item + shelf->count;
    uint64_t offset = 0;
    for (; item < end && item->begin < offset + size; item++) {
        if (item->end <= offset || !conflicts_with(row, item->buffer))
            continue;
        uint64_t remainder = item->end % alignment;
        offset = item->end + (remainder ? alignment - remainder : 0);
    }
    return offset;
}

uint64_t shelf_lowest(const struct shelf *shelf, uint32_t buffer, uint64_t size, uint64_t alignment)
{
    const uint64_t *row = shelf->row + (size_t)buffer * shelf->words;
    return alignment > 1 ? find_aligned(shelf, row, size, alignment)
                         : find_unaligned(shelf, row, size);
}

uint32_t shelf_predecessor(const struct shelf *shelf, uint32_t buffer, uint64_t offset)
{
    const uint64_t *row = shelf->row + (size_t)buffer * shelf->words;
    uint32_t found = UINT32_MAX;
    uint64_t highest = 0;
    for (uint32_t i = 0; offset && i < shelf->count; i++) {
        const struct shelved *item = &shelf->item[i];
        if (item->end <= offset && conflicts_with(row, item->buffer) &&
            (item->end > highest || (item->end == highest && item->buffer < found))) {
            highest = item->end;
            found = item->buffer;
        }
    }
    return found;
}
