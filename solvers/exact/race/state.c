#include "solvers/exact/race/state.h"

#include <string.h>

#include "core/memory.h"

/* A state along another begins with its own grid. */
static enum status fit_along(struct exact_state *state, struct error *error)
{
    const struct exact_model *model = state->model;
    TRY(scratch_take(&state->memory, &state->mark, model->buffers, sizeof *state->mark, error));
    TRY(exact_rectangles_fill(model, &state->rectangles, error));
    uint32_t lanes = exact_grid_lanes(&state->rectangles, model->capacity);
    TRY(exact_grid_create(&state->rectangles, lanes, &state->grid, error));
    return exact_batches_fit(&state->batches, state->grid, error);
}

enum status exact_state_create(const struct exact_model *model, struct exact_state **created,
                               struct error *error)
{
    SCOPED(exact_state_release) struct exact_state *state = NULL;
    uint32_t buffers = model->buffers, sections = model->sections;
    size_t padded = (size_t)sections + EXACT_MOST_LANES;
    assert(buffers > 0 && sections > 0);
    TRY(memory_create(&state, 1, sizeof *state, error));
    struct scratch *memory = &state->memory;
    state->model = model;
    TRY(scratch_take_all(memory, buffers, error, &state->lowest, &state->placed, &state->needs,
                         &state->refused, &state->support, &state->filler, &state->rejected,
                         &state->rejected_at));
    TRY(scratch_take_all(memory, buffers, error, &state->placement, &state->offset_serial));
    TRY(scratch_take(memory, &state->across, (size_t)sections + 1, sizeof *state->across, error));
    TRY(scratch_take_all(memory, padded, error, &state->floor, &state->candidates,
                         &state->compared));
    if (model->along) {
        TRY(exact_state_create(model->along, &state->along, error));
        TRY(fit_along(state->along, error));
    }
    for (struct exact_state *other = state; other; other = other->along)
        other->first = state;
    HAND_OVER(state, created);
}

void exact_state_free(struct exact_state *state)
{
    if (!state)
        return;
    exact_state_free(state->along);
    exact_grid_free(state->grid);
    scratch_free(&state->rectangles.memory);
    exact_batches_clear(&state->batches);
    scratch_free(&state->memory);
    memory_free_all(state->saved_offset, state->saved_batch, state->saved_needs, state);
}

enum status exact_state_reserve(struct exact_state *state, struct error *error)
{
    assert(state->batches.grid);
    const struct exact_model *model = state->model;
    TRY(memory_reserve(&state->saved_offset, &state->offset_capacity,
                       state->top.offsets + model->buffers, sizeof *state->saved_offset, error));
    TRY(memory_reserve(&state->saved_batch, &state->saved_batch_capacity,
                       state->top.batches + state->batches.grid->batches,
                       sizeof *state->saved_batch, error));
    if (state->along)
        TRY(exact_state_reserve(state->along, error));
    return memory_reserve(&state->saved_needs, &state->needs_capacity,
                          state->top.needs + model->buffers + 2, sizeof *state->saved_needs, error);
}

enum status exact_state_fit(struct exact_state *state, const struct exact_grid *grid,
                            struct error *error)
{
    assert(grid->rectangles->sections == state->model->sections);
    return exact_batches_fit(&state->batches, grid, error);
}

enum status exact_experience_create(const struct exact_model *model, bool learns,
                                    struct exact_experience **created, struct error *error)
{
    SCOPED(exact_experience_release) struct exact_experience *experience = NULL;
    TRY(memory_create(&experience, 1, sizeof *experience, error));
    TRY(memory_create(&experience->weight, model->sections, sizeof(double), error));
    if (learns)
        TRY(memory_create(&experience->blame, model->buffers, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < model->sections; s++)
        experience->weight[s] = 1;
    experience->increment = 1;
    HAND_OVER(experience, created);
}

void exact_experience_free(struct exact_experience *experience)
{
    if (!experience)
        return;
    memory_free_all(experience->weight, experience->blame, experience);
}

void exact_experience_copy(const struct exact_model *model, const struct exact_experience *from,
                           struct exact_experience *to)
{
    assert(!from->blame == !to->blame);
    memcpy(to->weight, from->weight, model->sections * sizeof *to->weight);
    assert(from->increment > 0);
    if (from->blame)
        memcpy(to->blame, from->blame, model->buffers * sizeof *to->blame);
    memcpy(to->counter, from->counter, sizeof to->counter);
    to->increment = from->increment;
    to->restarts = from->restarts;
}
