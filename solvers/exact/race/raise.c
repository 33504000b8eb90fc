#include "solvers/exact/race/raise.h"

#include <assert.h>

/* The least offset not below the given one at which the buffer overlaps no fixed buffer. */
static uint64_t pass_fixed(const struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    assert(state->model->highest[buffer] == UINT64_MAX);
    const struct exact_model *model = state->model;
    const struct conflicts *conflicts = model->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (model->highest[other] == UINT64_MAX ||
            offset + exact_above(model, buffer, i) <= model->highest[other] ||
            offset >= model->highest[other] + exact_below(model, i))
            continue;
        offset = exact_align(model, buffer, model->highest[other] + exact_below(model, i));
        assert(offset >= model->highest[other]);
        i = conflicts->first[buffer] - 1;
    }
    return offset;
}

static bool raise_one(struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    const struct exact_model *model = state->model;
    assert(!state->placed[buffer]);
    offset = offset > state->lowest[buffer] ? offset : state->lowest[buffer];
    offset = exact_align(model, buffer, offset);
    if (model->has_fixed && model->highest[buffer] == UINT64_MAX)
        offset = pass_fixed(state, buffer, offset);
    assert(offset >= state->lowest[buffer]);
    if (offset > model->highest[buffer]) {
        state->experience->counter[SEARCH_FAILED_FIXED]++;
        return false;
    }

    /* Only the first change after a mark is saved, since going back to the mark needs no other. */
    if (offset > state->lowest[buffer]) {
        assert(offset % model->alignment[buffer] == 0 || offset == INT64_MAX);
        if (state->offset_serial[buffer] != state->top.serial) {
            state->offset_serial[buffer] = state->top.serial;
            assert(state->top.offsets < state->offset_capacity);
            state->saved_offset[state->top.offsets++] =
                (struct exact_saved_offset){state->lowest[buffer], buffer};
        }
        state->lowest[buffer] = offset;
        exact_batches_touch(&state->batches, buffer);
    }

    /* Spans (spans.h) do not tell that a buffer ends above the capacity where no window uses its
       last bytes. */
    uint64_t end = offset + model->size[buffer];
    if (model->whole || end <= state->capacity)
        return true;
    exact_state_lower_next_capacity(state, end);
    state->experience->counter[SEARCH_FAILED_SPAN]++;
    return false;
}

bool exact_raise(struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    assert(buffer < state->model->buffers && !state->placed[buffer]);
    const struct exact_model *model = state->model;
    if (!raise_one(state, buffer, offset))
        return false;
    if (!(state->rules & EXACT_RULE_TWINS))
        return true;
    for (uint32_t b = model->after[buffer]; b != EXACT_NONE; b = model->after[b]) {
        uint64_t end = state->lowest[model->before[b]] + model->size[b];
        assert(model->before[b] != EXACT_NONE && model->size[b] == model->size[buffer]);
        if (state->lowest[b] >= end || state->placed[b])
            return true;
        state->experience->counter[SEARCH_RAISED_TWIN]++;
        if (!raise_one(state, b, end))
            return false;
    }
    return true;
}
