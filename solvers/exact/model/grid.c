#include "solvers/exact/model/grid.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

/* Turns counts, that of border s in first[s + 2], into the places where the next buffer of each
   border goes, in first[s + 1]. Once all are in their places, first[s] is where those of s begin.
 */
static void add_up(uint32_t *first, uint32_t sections)
{
    for (uint32_t s = 2; s <= sections + 1; s++)
        first[s] += first[s - 1];
}

/* sorted [rectangles->count] the widest first. There is a border before each section but the first
   one. */
static void fill_lists(const struct exact_rectangles *rectangles, const uint32_t *sorted,
                       struct exact_borders *borders)
{
    const uint32_t *begin = rectangles->begin, *end = rectangles->end;
    uint32_t sections = rectangles->sections;
    for (uint32_t r = 0; r < rectangles->count; r++) {
        assert(begin[r] < end[r] && end[r] <= sections);
        borders->first_end[end[r] + 2] += end[r] < sections;
        borders->first_begin[begin[r] + 2] += begin[r] > 0;
    }
    add_up(borders->first_end, sections);
    add_up(borders->first_begin, sections);
    for (uint32_t i = 0; i < rectangles->count; i++) {
        uint32_t r = sorted[i];
        if (end[r] < sections)
            borders->ending[borders->first_end[end[r] + 1]++] = rectangles->buffer[r];
        if (begin[r])
            borders->beginning[borders->first_begin[begin[r] + 1]++] = rectangles->buffer[r];
    }
}

static enum status fill_borders(struct exact_grid *grid, struct error *error)
{
    const struct exact_rectangles *rectangles = grid->rectangles;
    struct exact_borders *borders = &grid->borders;
    struct scratch *memory = &grid->memory;
    size_t ends = (size_t)rectangles->sections + 3;
    uint64_t *key = NULL;
    uint32_t *sorted = NULL;
    enum status status;
    TRY(scratch_take(memory, &borders->first_end, ends, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &borders->first_begin, ends, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &borders->ending, rectangles->count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &borders->beginning, rectangles->count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&key, rectangles->count, sizeof *key, error));
    TRY_OR_DONE(status, memory_create(&sorted, rectangles->count, sizeof *sorted, error));
    for (uint32_t r = 0; r < rectangles->count; r++) {
        key[r] = UINT64_MAX - rectangles->width[r];
        sorted[r] = r;
    }
    TRY_OR_DONE(status, sort_items(key, sorted, rectangles->count, error));
    fill_lists(rectangles, sorted, borders);
done:
    memory_free(key);
    memory_free(sorted);
    return status;
}

/* Chooses the narrowest numbers that cannot overflow. The factor of 4 leaves room for sums with
   offsets above the capacity; the numbers also count rectangles. */
uint32_t exact_grid_lanes(const struct exact_rectangles *rectangles, uint64_t capacity)
{
    if (capacity < INT16_MAX / 4 && rectangles->count < INT16_MAX)
        return EXACT_BLOCK_BYTES / sizeof(int16_t);
    if (capacity < INT32_MAX / 4)
        return EXACT_BLOCK_BYTES / sizeof(int32_t);
    return EXACT_BLOCK_BYTES / sizeof(int64_t);
}

static enum status count_entries(struct exact_grid *grid, struct error *error)
{
    const struct exact_rectangles *rectangles = grid->rectangles;
    struct scratch *memory = &grid->memory;
    uint32_t count = rectangles->count;
    TRY(scratch_take(memory, &grid->begin, count, sizeof *grid->begin, error));
    TRY(scratch_take(memory, &grid->end, count, sizeof *grid->end, error));
    TRY(scratch_take(memory, &grid->first_entry, count, sizeof *grid->first_entry, error));
    TRY(scratch_take(memory, &grid->first, (size_t)grid->blocks + 1, sizeof *grid->first, error));
    for (uint32_t r = 0; r < count; r++) {
        grid->first_entry[r] = grid->entries;
        grid->begin[r] = rectangles->begin[r] / grid->lanes;
        grid->end[r] = (rectangles->end[r] - 1) / grid->lanes + 1;
        assert(grid->begin[r] < grid->end[r] && grid->end[r] <= grid->blocks);
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++)
            grid->first[b + 1]++;
        grid->entries += grid->end[r] - grid->begin[r];
    }
    for (uint32_t b = 0; b < grid->blocks; b++)
        grid->first[b + 1] += grid->first[b];
    assert(grid->first[grid->blocks] == grid->entries);
    return STATUS_OK;
}

/* Makes the number of the lane -1 in the entry's vector. */
static void set_inside(const struct exact_grid *grid, uint32_t entry, uint32_t lane)
{
    assert(entry < grid->entries && lane < grid->lanes);
    switch (grid->lanes) {
    case EXACT_BLOCK_BYTES / sizeof(int16_t):
        ((int16_t *)grid->inside)[(size_t)entry * grid->lanes + lane] = -1;
        break;
    case EXACT_BLOCK_BYTES / sizeof(int32_t):
        ((int32_t *)grid->inside)[(size_t)entry * grid->lanes + lane] = -1;
        break;
    default:
        ((int64_t *)grid->inside)[(size_t)entry * grid->lanes + lane] = -1;
    }
}

static void fill_rectangle(struct exact_grid *grid, uint32_t rectangle, uint32_t *next)
{
    assert(grid->rectangles->begin[rectangle] < grid->rectangles->end[rectangle]);
    const struct exact_rectangles *rectangles = grid->rectangles;
    uint32_t begin = grid->begin[rectangle];
    for (uint32_t b = begin; b < grid->end[rectangle]; b++) {
        uint32_t entry = grid->first_entry[rectangle] + b - begin;
        grid->list[next[b]++] = entry;
        grid->entry[entry] =
            (struct exact_entry){rectangles->lower[rectangle], rectangles->width[rectangle],
                                 rectangles->buffer[rectangle], rectangle};
    }
    for (uint32_t s = rectangles->begin[rectangle]; s < rectangles->end[rectangle]; s++)
        set_inside(grid, grid->first_entry[rectangle] + s / grid->lanes - begin, s % grid->lanes);
}

static enum status fill_grid(struct exact_grid *grid, struct error *error)
{
    assert(grid->rectangles->sections > 0 && grid->rectangles->count > 0);
    struct scratch *memory = &grid->memory;
    uint32_t *next;
    grid->blocks = (grid->rectangles->sections - 1) / grid->lanes + 1;
    TRY(count_entries(grid, error));
    TRY(scratch_take(memory, &grid->list, grid->entries, sizeof *grid->list, error));
    TRY(scratch_take(memory, &grid->entry, grid->entries, sizeof *grid->entry, error));
    TRY(scratch_take(memory, &grid->inside, grid->entries, EXACT_BLOCK_BYTES, error));
    TRY(fill_borders(grid, error));
    TRY(memory_create(&next, grid->blocks, sizeof *next, error));
    for (uint32_t b = 0; b < grid->blocks; b++)
        next[b] = grid->first[b];
    for (uint32_t r = 0; r < grid->rectangles->count; r++)
        fill_rectangle(grid, r, next);
    for (uint32_t b = 0; b < grid->blocks; b++)
        assert(next[b] == grid->first[b + 1]);
    memory_free(next);
    return STATUS_OK;
}

enum status exact_grid_create(const struct exact_rectangles *rectangles, uint32_t lanes,
                              struct exact_grid **created, struct error *error)
{
    struct exact_grid *grid;
    assert(lanes == 4 || lanes == 8 || lanes == EXACT_MOST_LANES);
    TRY(memory_create(&grid, 1, sizeof *grid, error));
    grid->rectangles = rectangles;
    grid->lanes = lanes;
    enum status status = fill_grid(grid, error);
    if (status)
        exact_grid_free(grid);
    else
        *created = grid;
    return status;
}

void exact_grid_free(struct exact_grid *grid)
{
    if (!grid)
        return;
    scratch_free(&grid->memory);
    memory_free(grid);
}
