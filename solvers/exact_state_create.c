#include "core/memory.h"
#include "solvers/exact_state.h"

static enum status create_buffers(struct exact_state *state, struct error *error)
{
    uint32_t buffers = state->model->buffers;
    TRY(memory_create(&state->lowest, buffers, sizeof *state->lowest, error));
    TRY(memory_create(&state->placed, buffers, sizeof *state->placed, error));
    TRY(memory_create(&state->needs, buffers, sizeof *state->needs, error));
    TRY(memory_create(&state->refused, buffers, sizeof *state->refused, error));
    TRY(memory_create(&state->support, buffers, sizeof *state->support, error));
    TRY(memory_create(&state->filler, buffers, sizeof *state->filler, error));
    TRY(memory_create(&state->placement, buffers, sizeof *state->placement, error));
    return memory_create(&state->offset_serial, buffers, sizeof *state->offset_serial, error);
}

static enum status create_sections(struct exact_state *state, struct error *error)
{
    uint32_t sections = state->model->sections;
    uint64_t members = state->model->first[sections];
    TRY(memory_create(&state->listed, members, sizeof *state->listed, error));
    TRY(memory_create(&state->release, state->model->buffers, sizeof *state->release, error));
    TRY(memory_create(&state->left, sections, sizeof *state->left, error));
    TRY(memory_create(&state->bytes_left, sections, sizeof *state->bytes_left, error));
    TRY(memory_create(&state->floor, sections, sizeof *state->floor, error));
    TRY(memory_create(&state->span, sections, sizeof *state->span, error));
    TRY(memory_create(&state->candidates, sections, sizeof *state->candidates, error));
    TRY(memory_create(&state->least_end, sections, sizeof *state->least_end, error));
    TRY(memory_create(&state->across, (size_t)sections + 1, sizeof *state->across, error));
    TRY(memory_create(&state->weight, sections, sizeof *state->weight, error));
    TRY(memory_create(&state->touched, sections, sizeof *state->touched, error));
    TRY(memory_create(&state->refreshed, sections, sizeof *state->refreshed, error));
    TRY(memory_create(&state->is_touched, sections, sizeof *state->is_touched, error));
    return memory_create(&state->section_serial, sections, sizeof *state->section_serial, error);
}

enum status exact_state_create(const struct exact_model *model, struct exact_state **created,
                               struct error *error)
{
    struct exact_state *state;
    TRY(memory_create(&state, 1, sizeof *state, error));
    state->model = model;
    state->increment = 1;
    enum status status = create_buffers(state, error);
    if (!status)
        status = create_sections(state, error);
    if (status) {
        exact_state_free(state);
        return status;
    }
    for (uint32_t s = 0; s < model->sections; s++)
        state->weight[s] = 1;
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
    memory_free(state->listed);
    memory_free(state->release);
    memory_free(state->left);
    memory_free(state->bytes_left);
    memory_free(state->floor);
    memory_free(state->span);
    memory_free(state->candidates);
    memory_free(state->least_end);
    memory_free(state->across);
    memory_free(state->weight);
    memory_free(state->touched);
    memory_free(state->is_touched);
    memory_free(state->refreshed);
    memory_free(state->saved_offset);
    memory_free(state->saved_section);
    memory_free(state->saved_needs);
    memory_free(state->placement);
    memory_free(state->offset_serial);
    memory_free(state->section_serial);
    memory_free(state);
}

enum status exact_state_reserve(struct exact_state *state, struct error *error)
{
    const struct exact_model *model = state->model;
    TRY(memory_reserve(&state->saved_offset, &state->offset_capacity,
                       state->top.offsets + model->buffers, sizeof *state->saved_offset, error));
    TRY(memory_reserve(&state->saved_section, &state->section_capacity,
                       state->top.sections + model->sections, sizeof *state->saved_section, error));
    TRY(memory_reserve(&state->rejected, &state->rejected_capacity, state->top.rejected + 1,
                       sizeof *state->rejected, error));
    return memory_reserve(&state->saved_needs, &state->needs_capacity,
                          state->top.needs + model->buffers + 2, sizeof *state->saved_needs, error);
}
