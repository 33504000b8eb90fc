#include "solvers/exact/race/blocks.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

#define LANE int16_t
#define NAME(name) name##_16
#include "solvers/exact/race/lanes.h"
#undef LANE
#undef NAME

#define LANE int32_t
#define NAME(name) name##_32
#include "solvers/exact/race/lanes.h"
#undef LANE
#undef NAME

#define LANE int64_t
#define NAME(name) name##_64
#include "solvers/exact/race/lanes.h"
#undef LANE
#undef NAME

enum status exact_blocks_fit(struct exact_blocks *blocks, const struct exact_grid *grid,
                             struct error *error)
{
    uint32_t count = grid->blocks, most = 0;
    struct scratch *taken = &blocks->taken;
    void *memory;
    assert(grid->entries > 0 && count > 0);
    if (blocks->grid == grid)
        return STATUS_OK;
    exact_blocks_clear(blocks);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t entries = grid->first[b + 1] - grid->first[b];
        most = entries > most ? entries : most;
    }
    TRY(scratch_take(taken, &blocks->order, grid->entries, sizeof *blocks->order, error));
    TRY(scratch_take(taken, &blocks->left, count, sizeof *blocks->left, error));
    TRY(scratch_take(taken, &blocks->release, most, sizeof(int64_t), error));
    TRY(scratch_take(taken, &memory, (size_t)count + 1, sizeof(struct block_64), error));
    TRY(scratch_take(taken, &blocks->touched, (size_t)2 * count, sizeof *blocks->touched, error));
    TRY(scratch_take(taken, &blocks->is_touched, count, sizeof *blocks->is_touched, error));
    TRY(scratch_take(taken, &blocks->is_changed, count, sizeof *blocks->is_changed, error));
    TRY(scratch_take(taken, &blocks->serial, count, sizeof *blocks->serial, error));
    uintptr_t begin = (uintptr_t)memory;
    blocks->found = (char *)memory + (EXACT_BLOCK_BYTES - begin % EXACT_BLOCK_BYTES);
    assert((uintptr_t)blocks->found % EXACT_BLOCK_BYTES == 0);
    blocks->grid = grid;
    return STATUS_OK;
}

void exact_blocks_clear(struct exact_blocks *blocks)
{
    scratch_free(&blocks->taken);
    *blocks = (struct exact_blocks){0};
}

static void add_bytes(struct exact_blocks *blocks, uint32_t block, uint32_t entry, bool left)
{
    EXACT_FOR_WIDTH(blocks->grid, add_bytes, blocks, block, entry, left);
}

void exact_blocks_start(struct exact_blocks *blocks)
{
    const struct exact_grid *grid = blocks->grid;
    memset(blocks->found, 0, grid->blocks * sizeof(struct block_64));
    assert(grid->first[grid->blocks] == grid->entries);
    memcpy(blocks->order, grid->list, grid->entries * sizeof *grid->list);
    exact_blocks_forget_touches(blocks);
    blocks->refused_last = 0;
    for (uint32_t b = 0; b < grid->blocks; b++) {
        blocks->left[b] = grid->first[b + 1] - grid->first[b];
        blocks->serial[b] = 0;
        for (uint32_t i = grid->first[b]; i < grid->first[b + 1]; i++)
            add_bytes(blocks, b, grid->list[i], true);
        exact_blocks_touch_one(blocks, b);
    }
}

/* Entries that were placed come behind those of their block that are left and before those placed
   earlier, so that giving one back only moves the border between the two. */
void exact_blocks_take(struct exact_blocks *blocks, uint32_t buffer)
{
    const struct exact_grid *grid = blocks->grid;
    const uint32_t *first = grid->rectangles->first;
    assert(first[buffer] < first[buffer + 1]);
    for (uint32_t r = first[buffer]; r < first[buffer + 1]; r++)
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++) {
            uint32_t entry = grid->first_entry[r] + b - grid->begin[r];
            uint32_t *order = blocks->order + grid->first[b];
            assert(blocks->left[b] > 0);
            uint32_t at = 0, last = --blocks->left[b];
            while (order[at] != entry)
                at++;
            assert(at <= last);
            for (; at < last; at++)
                order[at] = order[at + 1];
            order[last] = entry;
            assert(last < grid->first[b + 1] - grid->first[b]);
            add_bytes(blocks, b, entry, false);
        }
}

void exact_blocks_give_back(struct exact_blocks *blocks, uint32_t buffer)
{
    const struct exact_grid *grid = blocks->grid;
    const uint32_t *first = grid->rectangles->first;
    for (uint32_t r = first[buffer + 1]; r-- > first[buffer];)
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++) {
            uint32_t entry = grid->first_entry[r] + b - grid->begin[r];
            assert(blocks->order[grid->first[b] + blocks->left[b]] == entry);
            blocks->left[b]++;
            assert(blocks->left[b] <= grid->first[b + 1] - grid->first[b]);
            add_bytes(blocks, b, entry, true);
        }
}

void exact_blocks_touch_one(struct exact_blocks *blocks, uint32_t block)
{
    assert(block < blocks->grid->blocks);
    if (blocks->is_touched[block])
        return;
    assert(blocks->touched_count < 2 * blocks->grid->blocks);
    blocks->is_touched[block] = true;
    blocks->touched[blocks->touched_count++] = block;
}

void exact_blocks_touch(struct exact_blocks *blocks, uint32_t buffer)
{
    const struct exact_grid *grid = blocks->grid;
    const uint32_t *first = grid->rectangles->first;
    for (uint32_t r = first[buffer]; r < first[buffer + 1]; r++)
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++)
            exact_blocks_touch_one(blocks, b);
}

void exact_blocks_forget_touches(struct exact_blocks *blocks)
{
    memset(blocks->is_touched, 0, blocks->grid->blocks * sizeof *blocks->is_touched);
    memset(blocks->is_changed, 0, blocks->grid->blocks * sizeof *blocks->is_changed);
    blocks->touched_count = 0;
}

void exact_blocks_restore(struct exact_blocks *blocks, const struct exact_saved_block *saved)
{
    assert(saved->block < blocks->grid->blocks);
    EXACT_FOR_WIDTH(blocks->grid, restore, blocks, saved);
}

void exact_blocks_read(const struct exact_blocks *blocks, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number)
{
    assert(begin < end && end <= blocks->grid->rectangles->sections);
    EXACT_FOR_WIDTH(blocks->grid, read, blocks, what, begin, end, number);
}
