#include "solvers/exact/race/state.h"

#include <assert.h>

#include "core/memory.h"

static enum status create_buffers(struct exact_state *state, struct error *error)
{
    uint32_t buffers = state->model->buffers;
    TRY(memory_create(&state->lowest, buffers, sizeof *state->lowest, error));
    TRY(memory_create(&state->placed, buffers, sizeof *state->placed, error));
    TRY(memory_create(&state->needs, buffers, sizeof *state->needs, error));
    TRY(memory_create(&state->refused, buffers, sizeof *state->refused, error));
    TRY(memory_create(&state->support, buffers, sizeof *state->support, error));
    TRY(memory_create(&state->filler, buffers, sizeof *state->filler, error));
    TRY(memory_create(&state->rejected, buffers, sizeof *state->rejected, error));
    TRY(memory_create(&state->rejected_at, buffers, sizeof *state->rejected_at, error));
    TRY(memory_create(&state->placement, buffers, sizeof *state->placement, error));
    return memory_create(&state->offset_serial, buffers, sizeof *state->offset_serial, error);
}

static enum status create_sections(struct exact_state *state, struct error *error)
{
    uint32_t sections = state->model->sections;
    size_t padded = (size_t)sections + EXACT_MOST_LANES;
    TRY(memory_create(&state->across, (size_t)sections + 1, sizeof *state->across, error));
    TRY(memory_create(&state->floor, padded, sizeof *state->floor, error));
    TRY(memory_create(&state->candidates, padded, sizeof *state->candidates, error));
    return memory_create(&state->compared, padded, sizeof *state->compared, error);
}

enum status exact_state_create(const struct exact_model *model, struct exact_state **created,
                               struct error *error)
{
    struct exact_state *state;
    assert(model->buffers > 0 && model->sections > 0);
    TRY(memory_create(&state, 1, sizeof *state, error));
    state->model = model;
    enum status status = create_buffers(state, error);
    if (!status)
        status = create_sections(state, error);
    if (status) {
        exact_state_free(state);
        return status;
    }
    *created = state;
    return STATUS_OK;
}

void exact_state_free(struct exact_state *state)
{
    if (!state)
        return;
    memory_free(state->lowest);
    memory_free(state->placed);
    memory_free(state->needs);
    memory_free(state->refused);
    memory_free(state->support);
    memory_free(state->filler);
    memory_free(state->rejected);
    memory_free(state->rejected_at);
    memory_free(state->floor);
    memory_free(state->candidates);
    memory_free(state->compared);
    exact_blocks_clear(&state->blocks);
    memory_free(state->across);
    memory_free(state->saved_offset);
    memory_free(state->saved_block);
    memory_free(state->saved_needs);
    memory_free(state->placement);
    memory_free(state->offset_serial);
    memory_free(state);
}

enum status exact_state_reserve(struct exact_state *state, struct error *error)
{
    assert(state->blocks.grid);
    const struct exact_model *model = state->model;
    TRY(memory_reserve(&state->saved_offset, &state->offset_capacity,
                       state->top.offsets + model->buffers, sizeof *state->saved_offset, error));
    TRY(memory_reserve(&state->saved_block, &state->saved_block_capacity,
                       state->top.blocks + state->blocks.grid->blocks, sizeof *state->saved_block,
                       error));
    return memory_reserve(&state->saved_needs, &state->needs_capacity,
                          state->top.needs + model->buffers + 2, sizeof *state->saved_needs, error);
}

enum status exact_state_fit(struct exact_state *state, const struct exact_grid *grid,
                            struct error *error)
{
    assert(grid->rectangles->sections == state->model->sections);
    return exact_blocks_fit(&state->blocks, grid, error);
}
