#include "solvers/exact/race/state.h"

#include <string.h>

/* By one more or less, for the sections that a buffer lives in and before. */
static void change_across(struct exact_state *state, uint32_t buffer, uint32_t by)
{
    const struct exact_model *model = state->model;
    uint64_t begin = model->first_section[buffer], last = model->first_section[buffer + 1] - 1;
    for (uint32_t s = model->section[begin] + 1; s <= model->section[last]; s++)
        state->across[s] += by;
}

static void start_sections(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    memset(state->across, 0, ((size_t)model->sections + 1) * sizeof *state->across);
    exact_blocks_start(&state->blocks);
}

static void start_buffers(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    for (uint32_t b = 0; b < model->buffers; b++) {
        state->lowest[b] = model->lowest[b];
        state->placed[b] = false;
        state->needs[b] = 0;
        state->offset_serial[b] = 0;
        change_across(state, b, 1);
    }
}

/* Until nothing changes any more. */
static bool propagate(struct exact_state *state)
{
    do {
        if (!exact_blocks_refresh(state) || !exact_reject_refresh(state))
            return false;
    } while (state->blocks.touches);
    return true;
}

static bool raise_above_fixed(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (!exact_state_raise(state, b, 0))
            return false;
    return true;
}

static bool raise_twins(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    if (!(state->rules & EXACT_RULE_TWINS))
        return true;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (model->before[b] != EXACT_NONE &&
            !exact_state_raise(state, b, state->lowest[model->before[b]] + model->size[b]))
            return false;
    return true;
}

static bool has_room(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    for (uint32_t s = 0; s < model->sections; s++)
        if (model->load[s] > state->capacity && model->load[s] < state->excess)
            state->excess = model->load[s];
    return state->excess == UINT64_MAX;
}

bool exact_state_start(struct exact_state *state, unsigned rules, const uint32_t *rank,
                       uint64_t capacity)
{
    state->rules = rules;
    state->rank = rank;
    state->capacity = capacity;
    state->excess = UINT64_MAX;
    state->rejections = 0;
    state->last_serial = 1;
    state->top = (struct exact_mark){.serial = 1};
    if (!has_room(state))
        return false;
    start_sections(state);
    start_buffers(state);
    return raise_above_fixed(state) && raise_twins(state) && propagate(state);
}

struct exact_mark exact_state_mark(struct exact_state *state)
{
    struct exact_mark mark = state->top;
    state->top.serial = ++state->last_serial;
    return mark;
}

void exact_state_undo(struct exact_state *state, const struct exact_mark *mark)
{
    exact_blocks_drop(&state->blocks);
    while (state->top.placed > mark->placed) {
        uint32_t buffer = state->placement[--state->top.placed];
        state->placed[buffer] = false;
        exact_blocks_give_back(&state->blocks, buffer);
        change_across(state, buffer, 1);
    }
    while (state->top.offsets > mark->offsets) {
        const struct exact_saved_offset *saved = &state->saved_offset[--state->top.offsets];
        state->lowest[saved->buffer] = saved->offset;
    }
    while (state->top.blocks > mark->blocks)
        exact_blocks_restore(&state->blocks, &state->saved_block[--state->top.blocks]);
    while (state->top.needs > mark->needs)
        exact_reject_undo(state, &state->saved_needs[--state->top.needs]);
    state->top = *mark;
}

/* Above the fixed buffers that it would overlap. */
static uint64_t pass_fixed(const struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    const struct exact_model *model = state->model;
    const struct conflicts *conflicts = model->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (model->highest[other] == UINT64_MAX ||
            offset + exact_above(model, buffer, i) <= model->highest[other] ||
            offset >= model->highest[other] + exact_below(model, i))
            continue;
        offset = exact_align(model, buffer, model->highest[other] + exact_below(model, i));
        i = conflicts->first[buffer] - 1;
    }
    return offset;
}

static void set_lowest(struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    if (state->offset_serial[buffer] != state->top.serial) {
        state->offset_serial[buffer] = state->top.serial;
        state->saved_offset[state->top.offsets++] =
            (struct exact_saved_offset){state->lowest[buffer], buffer};
    }
    state->lowest[buffer] = offset;
    exact_blocks_touch(&state->blocks, buffer);
}

/* The sections do not see the bytes of a buffer that none of its windows uses. */
static bool fits_whole(struct exact_state *state, uint32_t buffer)
{
    uint64_t end = state->lowest[buffer] + state->model->size[buffer];
    if (end <= state->capacity)
        return true;
    if (end < state->excess)
        state->excess = end;
    state->counter[SEARCH_FAILED_SPAN]++;
    return false;
}

static bool raise_one(struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    const struct exact_model *model = state->model;
    offset = offset > state->lowest[buffer] ? offset : state->lowest[buffer];
    offset = exact_align(model, buffer, offset);
    if (model->has_fixed && model->highest[buffer] == UINT64_MAX)
        offset = pass_fixed(state, buffer, offset);
    if (offset > model->highest[buffer]) {
        state->counter[SEARCH_FAILED_FIXED]++;
        return false;
    }
    if (offset > state->lowest[buffer])
        set_lowest(state, buffer, offset);
    return model->whole || fits_whole(state, buffer);
}

bool exact_state_raise(struct exact_state *state, uint32_t buffer, uint64_t offset)
{
    const struct exact_model *model = state->model;
    if (!raise_one(state, buffer, offset))
        return false;
    if (!(state->rules & EXACT_RULE_TWINS))
        return true;
    for (uint32_t b = model->after[buffer]; b != EXACT_NONE; b = model->after[b]) {
        uint64_t end = state->lowest[model->before[b]] + model->size[b];
        if (state->lowest[b] >= end || state->placed[b])
            return true;
        state->counter[SEARCH_RAISED_TWIN]++;
        if (!raise_one(state, b, end))
            return false;
    }
    return true;
}

static bool raise_conflicting(struct exact_state *state, uint32_t buffer)
{
    const struct exact_model *model = state->model;
    const struct conflicts *conflicts = model->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (state->placed[other])
            continue;
        if (state->needs[other])
            exact_reject_meet(state, other, buffer);
        uint64_t end = state->lowest[buffer] + exact_above(model, buffer, i);
        if (state->lowest[other] < end && !exact_state_raise(state, other, end))
            return false;
    }
    return true;
}

bool exact_state_place(struct exact_state *state, uint32_t buffer)
{
    state->counter[SEARCH_PLACEMENTS]++;
    state->placed[buffer] = true;
    state->placement[state->top.placed++] = buffer;
    exact_reject_end(state, buffer);
    exact_blocks_take(&state->blocks, buffer);
    change_across(state, buffer, UINT32_MAX);
    exact_blocks_touch(&state->blocks, buffer);
    return raise_conflicting(state, buffer) && propagate(state);
}

/* A rejection is a need that propagation then sees to. */
bool exact_state_reject(struct exact_state *state, uint32_t buffer)
{
    state->counter[SEARCH_REJECTIONS]++;
    if (state->model->highest[buffer] != UINT64_MAX) {
        state->counter[SEARCH_FAILED_FIXED]++;
        return false;
    }
    exact_reject_begin(state, buffer);
    return exact_reject_refresh_one(state, buffer) && propagate(state);
}
