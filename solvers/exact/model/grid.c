#include "solvers/exact/model/grid.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

/* The last rectangle of a buffer so far. The buffer's next section continues it if that is section
   `end` and uses the same bytes; end is 0 where there is no rectangle yet. */
struct open_rectangle {
    uint64_t lower, width;
    uint32_t end, rectangle;
};

/* Makes the member the last one of its buffer. True where it does not continue the buffer's last
   rectangle. */
static bool opens_rectangle(const struct exact_model *model, struct open_rectangle *open,
                            uint32_t section, uint64_t member)
{
    uint64_t lower = exact_member_lower(model, member), width = exact_member_width(model, member);
    bool continues =
        section && open->end == section && open->lower == lower && open->width == width;
    assert(section < model->sections && open->end <= section && width > 0);
    open->end = section + 1;
    open->lower = lower;
    open->width = width;
    return !continues;
}

enum status exact_rectangles_fill(const struct exact_model *model,
                                  struct exact_rectangles *rectangles, struct error *error)
{
    struct scratch *memory = &rectangles->memory;
    SCOPED(memory_release) struct open_rectangle *open = NULL;
    rectangles->sections = model->sections;
    TRY(memory_create(&open, model->buffers, sizeof *open, error));
    TRY(scratch_take(memory, &rectangles->first, (size_t)model->buffers + 1, sizeof(uint32_t),
                     error));
    uint32_t *first = rectangles->first;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++) {
            uint32_t b = model->member[i];
            first[b + 1] += opens_rectangle(model, &open[b], s, i);
        }
    for (uint32_t b = 0; b < model->buffers; b++) {
        first[b + 1] += first[b];
        open[b] = (struct open_rectangle){.rectangle = first[b]};
    }
    uint32_t count = rectangles->count = first[model->buffers];
    assert(count >= model->buffers);
    TRY(scratch_take_all(memory, count, error, &rectangles->buffer, &rectangles->begin,
                         &rectangles->end, &rectangles->lower, &rectangles->width));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++) {
            uint32_t b = model->member[i];
            if (opens_rectangle(model, &open[b], s, i)) {
                uint32_t rectangle = open[b].rectangle++;
                rectangles->buffer[rectangle] = b;
                rectangles->begin[rectangle] = s;
                rectangles->lower[rectangle] = open[b].lower;
                rectangles->width[rectangle] = open[b].width;
            }
            assert(open[b].rectangle > first[b] && open[b].rectangle <= first[b + 1]);
            rectangles->end[open[b].rectangle - 1] = s + 1;
        }
    return STATUS_OK;
}

/* There is a border before each section but the first one. While the lists are filled, first[s + 1]
   is where the next buffer of border s goes. */
static enum status fill_borders(struct exact_grid *grid, struct error *error)
{
    const struct exact_rectangles *rectangles = grid->rectangles;
    const uint32_t *begin = rectangles->begin, *end = rectangles->end;
    uint32_t sections = rectangles->sections, count = rectangles->count;
    struct exact_borders *borders = &grid->borders;
    size_t ends = (size_t)sections + 3;
    SCOPED(memory_release) uint64_t *key = NULL;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    TRY(scratch_take_all(&grid->memory, ends, error, &borders->first_end, &borders->first_begin));
    TRY(scratch_take_all(&grid->memory, count, error, &borders->ending, &borders->beginning));
    TRY(memory_create_all(count, error, &key, &sorted));
    for (uint32_t r = 0; r < count; r++) {
        assert(begin[r] < end[r] && end[r] <= sections);
        key[r] = UINT64_MAX - rectangles->width[r]; /* the widest first */
        sorted[r] = r;
        borders->first_end[end[r] + 2] += end[r] < sections;
        borders->first_begin[begin[r] + 2] += begin[r] > 0;
    }
    TRY(sort_items(key, sorted, count, error));
    for (uint32_t s = 2; s <= sections + 1; s++) {
        borders->first_end[s] += borders->first_end[s - 1];
        borders->first_begin[s] += borders->first_begin[s - 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t r = sorted[i];
        assert(r < count);
        if (end[r] < sections)
            borders->ending[borders->first_end[end[r] + 1]++] = rectangles->buffer[r];
        if (begin[r])
            borders->beginning[borders->first_begin[begin[r] + 1]++] = rectangles->buffer[r];
    }
    assert(borders->first_end[sections] <= count && borders->first_begin[sections] <= count);
    return STATUS_OK;
}

/* Chooses the narrowest numbers that cannot overflow. The factor of 4 leaves room for sums with
   offsets above the capacity; the numbers also count rectangles. */
uint32_t exact_grid_lanes(const struct exact_rectangles *rectangles, uint64_t capacity)
{
    if (capacity < INT16_MAX / 4 && rectangles->count < INT16_MAX)
        return EXACT_BATCH_BYTES / sizeof(int16_t);
    if (capacity < INT32_MAX / 4)
        return EXACT_BATCH_BYTES / sizeof(int32_t);
    return EXACT_BATCH_BYTES / sizeof(int64_t);
}

static enum status count_entries(struct exact_grid *grid, struct error *error)
{
    const struct exact_rectangles *rectangles = grid->rectangles;
    struct scratch *memory = &grid->memory;
    uint32_t count = rectangles->count;
    TRY(scratch_take_all(memory, count, error, &grid->begin, &grid->end, &grid->first_entry));
    TRY(scratch_take(memory, &grid->first, (size_t)grid->batches + 1, sizeof *grid->first, error));
    for (uint32_t r = 0; r < count; r++) {
        grid->first_entry[r] = grid->entries;
        grid->begin[r] = rectangles->begin[r] / grid->lanes;
        grid->end[r] = (rectangles->end[r] - 1) / grid->lanes + 1;
        assert(grid->begin[r] < grid->end[r] && grid->end[r] <= grid->batches);
        for (uint32_t b = grid->begin[r]; b < grid->end[r]; b++)
            grid->first[b + 1]++;
        grid->entries += grid->end[r] - grid->begin[r];
    }
    for (uint32_t b = 0; b < grid->batches; b++)
        grid->first[b + 1] += grid->first[b];
    assert(grid->first[grid->batches] == grid->entries);
    return STATUS_OK;
}

/* Makes the number of the lane -1 in the entry's vector. */
static void set_inside(const struct exact_grid *grid, uint32_t entry, uint32_t lane)
{
    assert(entry < grid->entries && lane < grid->lanes);
    switch (grid->lanes) {
    case EXACT_BATCH_BYTES / sizeof(int16_t):
        ((int16_t *)grid->inside)[(size_t)entry * grid->lanes + lane] = -1;
        break;
    case EXACT_BATCH_BYTES / sizeof(int32_t):
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
        assert(next[b] < grid->first[b + 1] && entry < grid->entries);
        grid->list[next[b]++] = entry;
        grid->entry[entry] =
            (struct exact_entry){rectangles->lower[rectangle], rectangles->width[rectangle],
                                 rectangles->buffer[rectangle], rectangle};
    }
    for (uint32_t s = rectangles->begin[rectangle]; s < rectangles->end[rectangle]; s++)
        set_inside(grid, grid->first_entry[rectangle] + s / grid->lanes - begin, s % grid->lanes);
}

enum status exact_grid_create(const struct exact_rectangles *rectangles, uint32_t lanes,
                              struct exact_grid **created, struct error *error)
{
    SCOPED(exact_grid_release) struct exact_grid *grid = NULL;
    SCOPED(memory_release) uint32_t *next = NULL;
    assert(lanes == 4 || lanes == 8 || lanes == EXACT_MOST_LANES);
    assert(rectangles->sections > 0 && rectangles->count > 0);
    TRY(memory_create(&grid, 1, sizeof *grid, error));
    grid->rectangles = rectangles;
    grid->lanes = lanes;
    grid->batches = (rectangles->sections - 1) / lanes + 1;
    TRY(count_entries(grid, error));
    TRY(scratch_take_all(&grid->memory, grid->entries, error, &grid->list, &grid->entry));
    TRY(scratch_take(&grid->memory, &grid->inside, grid->entries, EXACT_BATCH_BYTES, error));
    TRY(fill_borders(grid, error));
    TRY(memory_create(&next, grid->batches, sizeof *next, error));
    for (uint32_t b = 0; b < grid->batches; b++)
        next[b] = grid->first[b];
    for (uint32_t r = 0; r < rectangles->count; r++)
        fill_rectangle(grid, r, next);
    for (uint32_t b = 0; b < grid->batches; b++)
        assert(next[b] == grid->first[b + 1]);
    HAND_OVER(grid, created);
}

void exact_grid_free(struct exact_grid *grid)
{
    if (!grid)
        return;
    scratch_free(&grid->memory);
    memory_free(grid);
}
