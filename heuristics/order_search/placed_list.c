#include "heuristics/order_search/placed_list.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"

enum { MOST_BUFFERS = 4096, LEAST_SHARE = 8 };

bool placed_list_is_worth_it(const struct problem *problem, const struct conflicts *conflicts)
{
    uint64_t buffers = problem->buffers;
    return buffers <= MOST_BUFFERS && conflicts->first[buffers] * LEAST_SHARE >= buffers * buffers;
}

static void fill_rows(struct placed_list *placed_list, uint32_t buffers,
                      const struct conflicts *conflicts)
{
    for (uint32_t b = 0; b < buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            placed_list->row[(size_t)b * placed_list->words + other / 64] |= (uint64_t)1
                                                                             << other % 64;
        }
}

enum status placed_list_create(const struct problem *problem, const struct conflicts *conflicts,
                               struct placed_list **placed_list, struct scratch *scratch,
                               struct error *error)
{
    struct placed_list *list;
    uint32_t buffers = problem->buffers, words = (buffers + 63) / 64;
    TRY(scratch_take(scratch, &list, 1, sizeof *list, error));
    TRY(scratch_take(scratch, &list->row, (size_t)buffers * words, sizeof *list->row, error));
    TRY(scratch_take(scratch, &list->item, buffers, sizeof *list->item, error));
    list->words = words;
    fill_rows(list, buffers, conflicts);
    *placed_list = list;
    return STATUS_OK;
}

void placed_list_add(struct placed_list *placed_list, uint32_t buffer, uint64_t begin, uint64_t end)
{
    uint32_t place = BINARY_SEARCH(at, 0, placed_list->count, placed_list->item[at].begin > begin);
    memmove(placed_list->item + place + 1, placed_list->item + place,
            (placed_list->count - place) * sizeof *placed_list->item);
    assert(place == 0 || placed_list->item[place - 1].begin <= begin);
    placed_list->item[place] = (struct placed_item){begin, end, buffer};
    placed_list->count++;
}

static bool conflicts_with(const uint64_t *row, uint32_t other)
{
    return row[other / 64] >> other % 64 & 1;
}

/* The lowest offset for a buffer whose alignment is 1. The loop has no branch on whether two
   buffers conflict, since the processor could not predict it. */
static uint64_t find_unaligned(const struct placed_list *placed_list, const uint64_t *row,
                               uint64_t size)
{
    const struct placed_item *item = placed_list->item, *end = item + placed_list->count;
    uint64_t offset = 0;
    for (; item < end && item->begin < offset + size; item++) {
        uint64_t above = item->end > offset ? item->end : offset;
        offset = conflicts_with(row, item->buffer) ? above : offset;
    }
    return offset;
}

static uint64_t find_aligned(const struct placed_list *placed_list, const uint64_t *row,
                             uint64_t size, uint64_t alignment)
{
    const struct placed_item *item = placed_list->item, *end = item + placed_list->count;
    uint64_t offset = 0;
    for (; item < end && item->begin < offset + size; item++) {
        if (item->end <= offset || !conflicts_with(row, item->buffer))
            continue;
        offset = align_up(item->end, alignment);
    }
    return offset;
}

uint64_t placed_list_lowest(const struct placed_list *placed_list, uint32_t buffer, uint64_t size,
                            uint64_t alignment)
{
    const uint64_t *row = placed_list->row + (size_t)buffer * placed_list->words;
    return alignment > 1 ? find_aligned(placed_list, row, size, alignment)
                         : find_unaligned(placed_list, row, size);
}

uint32_t placed_list_predecessor(const struct placed_list *placed_list, uint32_t buffer,
                                 uint64_t offset)
{
    const uint64_t *row = placed_list->row + (size_t)buffer * placed_list->words;
    uint32_t found = UINT32_MAX;
    uint64_t highest = 0;
    for (uint32_t i = 0; offset && i < placed_list->count; i++) {
        const struct placed_item *item = &placed_list->item[i];
        if (item->end <= offset && conflicts_with(row, item->buffer) &&
            (item->end > highest || (item->end == highest && item->buffer < found))) {
            highest = item->end;
            found = item->buffer;
        }
    }
    return found;
}
