#include "solvers/exact/model/grid.h"

#include "core/memory.h"

/* Sums of what lies above the capacity must fit, too, and counts of pieces. */
uint32_t exact_grid_lanes(const struct exact_model *model, uint64_t capacity)
{
    if (capacity < INT16_MAX / 4 && model->pieces.count < INT16_MAX)
        return EXACT_BLOCK_BYTES / sizeof(int16_t);
    if (capacity < INT32_MAX / 4)
        return EXACT_BLOCK_BYTES / sizeof(int32_t);
    return EXACT_BLOCK_BYTES / sizeof(int64_t);
}

static enum status count_entries(struct exact_grid *grid, struct error *error)
{
    const struct exact_pieces *piece = &grid->model->pieces;
    uint32_t pieces = piece->count;
    TRY(memory_create(&grid->begin, pieces, sizeof *grid->begin, error));
    TRY(memory_create(&grid->end, pieces, sizeof *grid->end, error));
    TRY(memory_create(&grid->entry, pieces, sizeof *grid->entry, error));
    TRY(memory_create(&grid->first, (size_t)grid->blocks + 1, sizeof *grid->first, error));
    for (uint32_t p = 0; p < pieces; p++) {
        grid->entry[p] = grid->entries;
        grid->begin[p] = piece->begin[p] / grid->lanes;
        grid->end[p] = (piece->end[p] - 1) / grid->lanes + 1;
        for (uint32_t b = grid->begin[p]; b < grid->end[p]; b++)
            grid->first[b + 1]++;
        grid->entries += grid->end[p] - grid->begin[p];
    }
    for (uint32_t b = 0; b < grid->blocks; b++)
        grid->first[b + 1] += grid->first[b];
    return STATUS_OK;
}

static void set_inside(const struct exact_grid *grid, uint32_t entry, uint32_t lane)
{
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

static void fill_piece(struct exact_grid *grid, uint32_t piece, uint32_t *next)
{
    const struct exact_pieces *pieces = &grid->model->pieces;
    uint32_t begin = grid->begin[piece];
    for (uint32_t b = begin; b < grid->end[piece]; b++) {
        uint32_t entry = grid->entry[piece] + b - begin;
        grid->list[next[b]++] = entry;
        grid->job[entry] = (struct exact_job){pieces->lower[piece], pieces->width[piece],
                                              pieces->buffer[piece], piece};
    }
    for (uint32_t s = pieces->begin[piece]; s < pieces->end[piece]; s++)
        set_inside(grid, grid->entry[piece] + s / grid->lanes - begin, s % grid->lanes);
}

static enum status fill_grid(struct exact_grid *grid, struct error *error)
{
    uint32_t *next;
    grid->blocks = (grid->model->sections - 1) / grid->lanes + 1;
    TRY(count_entries(grid, error));
    TRY(memory_create(&grid->list, grid->entries, sizeof *grid->list, error));
    TRY(memory_create(&grid->job, grid->entries, sizeof *grid->job, error));
    TRY(memory_create(&grid->inside, grid->entries, EXACT_BLOCK_BYTES, error));
    TRY(memory_create(&next, grid->blocks, sizeof *next, error));
    for (uint32_t b = 0; b < grid->blocks; b++)
        next[b] = grid->first[b];
    for (uint32_t p = 0; p < grid->model->pieces.count; p++)
        fill_piece(grid, p, next);
    memory_free(next);
    return STATUS_OK;
}

enum status exact_grid_create(const struct exact_model *model, uint32_t lanes,
                              struct exact_grid **created, struct error *error)
{
    struct exact_grid *grid;
    TRY(memory_create(&grid, 1, sizeof *grid, error));
    grid->model = model;
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
    memory_free(grid->entry);
    memory_free(grid->begin);
    memory_free(grid->end);
    memory_free(grid->first);
    memory_free(grid->list);
    memory_free(grid->job);
    memory_free(grid->inside);
    memory_free(grid);
}
