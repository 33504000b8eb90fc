#include "solvers/exact/race/batches.h"

#include <assert.h>
#include <string.h>

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

enum status exact_batches_fit(struct exact_batches *batches, const struct exact_grid *grid,
                              struct error *error)
{
    uint32_t count = grid->batches, most = 0;
    struct scratch *taken = &batches->taken;
    void *memory;
    assert(grid->entries > 0 && count > 0);
    if (batches->grid == grid)
        return STATUS_OK;
    exact_batches_clear(batches);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t entries = grid->first[b + 1] - grid->first[b];
        most = entries > most ? entries : most;
    }
    TRY(scratch_take(taken, &batches->order, grid->entries, sizeof *batches->order, error));
    TRY(scratch_take_all(taken, count, error, &batches->left, &batches->is_touched,
                         &batches->is_changed, &batches->serial));
    TRY(scratch_take(taken, &batches->release, most, sizeof(int64_t), error));
    TRY(scratch_take(taken, &memory, (size_t)count + 1, sizeof(struct batch_64), error));
    TRY(scratch_take(taken, &batches->touched, (size_t)2 * count, sizeof *batches->touched, error));
    uintptr_t begin = (uintptr_t)memory;
    batches->found = (char *)memory + (EXACT_BATCH_BYTES - begin % EXACT_BATCH_BYTES);
    assert((uintptr_t)batches->found % EXACT_BATCH_BYTES == 0);
    batches->grid = grid;
    return STATUS_OK;
}

void exact_batches_clear(struct exact_batches *batches)
{
    scratch_free(&batches->taken);
    *batches = (struct exact_batches){0};
}

static void add_bytes(struct exact_batches *batches, uint32_t batch, uint32_t entry, bool left)
{
    EXACT_FOR_WIDTH(batches->grid, add_bytes, batches, batch, entry, left);
}

void exact_batches_start(struct exact_batches *batches)
{
    const struct exact_grid *grid = batches->grid;
    memset(batches->found, 0, grid->batches * sizeof(struct batch_64));
    memcpy(batches->order, grid->list, grid->entries * sizeof *grid->list);
    exact_batches_forget_touches(batches);
    batches->refused_last = 0;
    for (uint32_t b = 0; b < grid->batches; b++) {
        batches->left[b] = grid->first[b + 1] - grid->first[b];
        batches->serial[b] = 0;
        for (uint32_t i = grid->first[b]; i < grid->first[b + 1]; i++)
            add_bytes(batches, b, grid->list[i], true);
        exact_batches_touch_one(batches, b);
    }
}

/* Entries that were placed come behind those of their batch that are left and before those placed
   earlier, so that giving one back only moves the border between the two. */
void exact_batches_take(struct exact_batches *batches, uint32_t buffer)
{
    const struct exact_grid *grid = batches->grid;
    const uint32_t *first = grid->rectangles->first;
    assert(first[buffer] < first[buffer + 1]);
    for (uint32_t r = first[buffer]; r < first[buffer + 1]; r++)
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++) {
            uint32_t entry = grid->first_entry[r] + b - grid->begin[r];
            uint32_t *order = batches->order + grid->first[b];
            assert(batches->left[b] > 0);
            uint32_t at = 0, last = --batches->left[b];
            while (order[at] != entry)
                at++;
            assert(at <= last);
            for (; at < last; at++)
                order[at] = order[at + 1];
            order[last] = entry;
            assert(last < grid->first[b + 1] - grid->first[b]);
            add_bytes(batches, b, entry, false);
        }
}

void exact_batches_give_back(struct exact_batches *batches, uint32_t buffer)
{
    const struct exact_grid *grid = batches->grid;
    const uint32_t *first = grid->rectangles->first;
    for (uint32_t r = first[buffer + 1]; r-- > first[buffer];)
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++) {
            uint32_t entry = grid->first_entry[r] + b - grid->begin[r];
            assert(batches->order[grid->first[b] + batches->left[b]] == entry);
            batches->left[b]++;
            assert(batches->left[b] <= grid->first[b + 1] - grid->first[b]);
            add_bytes(batches, b, entry, true);
        }
}

void exact_batches_touch_one(struct exact_batches *batches, uint32_t batch)
{
    assert(batch < batches->grid->batches);
    if (batches->is_touched[batch])
        return;
    assert(batches->touched_count < 2 * batches->grid->batches);
    batches->is_touched[batch] = true;
    batches->touched[batches->touched_count++] = batch;
}

void exact_batches_touch(struct exact_batches *batches, uint32_t buffer)
{
    const struct exact_grid *grid = batches->grid;
    const uint32_t *first = grid->rectangles->first;
    for (uint32_t r = first[buffer]; r < first[buffer + 1]; r++)
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++)
            exact_batches_touch_one(batches, b);
}

void exact_batches_forget_touches(struct exact_batches *batches)
{
    memset(batches->is_touched, 0, batches->grid->batches * sizeof *batches->is_touched);
    memset(batches->is_changed, 0, batches->grid->batches * sizeof *batches->is_changed);
    batches->touched_count = 0;
}

void exact_batches_restore(struct exact_batches *batches, const struct exact_saved_batch *saved)
{
    assert(saved->batch < batches->grid->batches);
    EXACT_FOR_WIDTH(batches->grid, restore, batches, saved);
}

void exact_batches_read(const struct exact_batches *batches, enum exact_number what, uint32_t begin,
                        uint32_t end, uint64_t *number)
{
    assert(begin < end && end <= batches->grid->rectangles->sections);
    EXACT_FOR_WIDTH(batches->grid, read, batches, what, begin, end, number);
}
