#include "solvers/exact/race/node.h"

#include <assert.h>
#include <string.h>

#include "solvers/exact/race/handover.h"
#include "solvers/exact/race/raise.h"
#include "solvers/exact/race/reject.h"
#include "solvers/exact/race/spans.h"

/* Counts the buffer, or no longer counts it, at each border between two sections that it lives on
   both sides of. by is 1 to count it, UINT32_MAX, which subtracts 1, to no longer count it. */
static void change_across(struct exact_state *state, uint32_t buffer, uint32_t by)
{
    assert(by == 1 || by == UINT32_MAX);
    const struct exact_model *model = state->model;
    uint64_t begin = model->first_section[buffer], last = model->first_section[buffer + 1] - 1;
    for (uint32_t s = model->section[begin] + 1; s <= model->section[last]; s++)
        state->across[s] += by;
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

/* Draws conclusions until nothing changes any more. */
static bool propagate(struct exact_state *state)
{
    do {
        if (!exact_spans_refresh(state) || !exact_reject_refresh(state) ||
            (!state->blocks.touched_count && !exact_handover_refresh(state)))
            return false;
    } while (state->blocks.touched_count);
    return true;
}

static bool raise_twins(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    if (!(state->rules & EXACT_RULE_TWINS))
        return true;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (model->before[b] != EXACT_NONE &&
            !exact_raise(state, b, state->lowest[model->before[b]] + model->size[b]))
            return false;
    return true;
}

/* False where the load of a section is above the capacity, so that nothing needs to be placed. */
static bool has_room(struct exact_state *state)
{
    const struct exact_model *model = state->model;
    for (uint32_t s = 0; s < model->sections; s++)
        if (model->load[s] > state->capacity)
            exact_state_lower_next_capacity(state, model->load[s]);
    return state->next_capacity == UINT64_MAX;
}

bool exact_node_start(struct exact_state *state, unsigned rules, const uint32_t *rank,
                      uint64_t capacity)
{
    assert(state->blocks.grid);
    assert(rules <= EXACT_RULES_ALL);
    state->rules = rules;
    state->rank = rank;
    state->capacity = capacity;
    state->next_capacity = UINT64_MAX;
    state->rejected_count = 0;
    state->last_serial = 1;
    state->top = (struct exact_mark){.serial = 1};
    if (!has_room(state))
        return false;
    memset(state->across, 0, ((size_t)state->model->sections + 1) * sizeof *state->across);
    exact_blocks_start(&state->blocks);
    start_buffers(state);
    for (uint32_t b = 0; b < state->model->buffers; b++)
        if (!exact_raise(state, b, 0))
            return false;
    return raise_twins(state) && propagate(state);
}

struct exact_mark exact_node_mark(struct exact_state *state)
{
    struct exact_mark mark = state->top;
    assert(mark.serial <= state->last_serial);
    state->top.serial = ++state->last_serial;
    return mark;
}

void exact_node_undo(struct exact_state *state, const struct exact_mark *mark)
{
    assert(mark->serial < state->top.serial && mark->placed <= state->top.placed);
    assert(mark->offsets <= state->top.offsets && mark->blocks <= state->top.blocks);
    assert(mark->needs <= state->top.needs);
    exact_blocks_forget_touches(&state->blocks);
    while (state->top.placed > mark->placed) {
        uint32_t buffer = state->placement[--state->top.placed];
        assert(state->placed[buffer] && !state->needs[buffer]);
        state->placed[buffer] = false;
        exact_blocks_give_back(&state->blocks, buffer);
        change_across(state, buffer, 1);
    }
    while (state->top.offsets > mark->offsets) {
        const struct exact_saved_offset *saved = &state->saved_offset[--state->top.offsets];
        assert(saved->offset < state->lowest[saved->buffer] && !state->placed[saved->buffer]);
        state->lowest[saved->buffer] = saved->offset;
    }
    while (state->top.blocks > mark->blocks)
        exact_blocks_restore(&state->blocks, &state->saved_block[--state->top.blocks]);
    while (state->top.needs > mark->needs)
        exact_reject_undo(state, &state->saved_needs[--state->top.needs]);
    state->top = *mark;
    assert(!state->blocks.touched_count);
}

/* Raises the buffers that conflict with the one just placed and are not placed yet: they lie above
   it. */
static bool raise_conflicting(struct exact_state *state, uint32_t buffer)
{
    assert(state->placed[buffer]);
    const struct exact_model *model = state->model;
    const struct conflicts *conflicts = model->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (state->placed[other])
            continue;
        assert(state->lowest[buffer] < state->lowest[other] + exact_below(model, i));
        if (state->needs[other])
            exact_reject_meet(state, other, buffer);
        uint64_t end = state->lowest[buffer] + exact_above(model, buffer, i);
        if (state->lowest[other] < end && !exact_raise(state, other, end))
            return false;
    }
    return true;
}

bool exact_node_place(struct exact_state *state, uint32_t buffer)
{
    assert(!state->placed[buffer] && !state->blocks.touched_count);
    assert(state->lowest[buffer] <= state->model->highest[buffer]);
    assert(state->lowest[buffer] + state->model->size[buffer] <= state->capacity ||
           !state->model->whole);
    state->experience->counter[SEARCH_PLACEMENTS]++;
    state->placed[buffer] = true;
    state->placement[state->top.placed++] = buffer;
    exact_reject_end(state, buffer);
    exact_blocks_take(&state->blocks, buffer);
    change_across(state, buffer, UINT32_MAX);
    exact_blocks_touch(&state->blocks, buffer);
    return raise_conflicting(state, buffer) && propagate(state);
}

bool exact_node_reject(struct exact_state *state, uint32_t buffer)
{
    assert(!state->placed[buffer]);
    state->experience->counter[SEARCH_REJECTIONS]++;
    if (state->model->highest[buffer] != UINT64_MAX) {
        state->experience->counter[SEARCH_FAILED_FIXED]++;
        return false;
    }
    exact_reject_begin(state, buffer);
    return exact_reject_refresh_one(state, buffer) && propagate(state);
}
