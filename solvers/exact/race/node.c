#include "solvers/exact/race/node.h"

#include <assert.h>
#include <string.h>

#include "solvers/exact/race/handover.h"
#include "solvers/exact/race/raise.h"
#include "solvers/exact/race/reject.h"
#include "solvers/exact/race/spans.h"

/* Counts the buffer, or no longer counts it, at each border between two sections on both sides of
   which it is live. by is 1 to count it, UINT32_MAX, which subtracts 1, to no longer count it. */
static void change_across(struct exact_state *state, uint32_t buffer, uint32_t by)
{
    assert(by == 1 || by == UINT32_MAX);
    const struct exact_model *model = state->model;
    uint64_t begin = model->first_section[buffer], last = model->first_section[buffer + 1] - 1;
    assert(begin <= last && model->section[begin] <= model->section[last]);
    for (uint32_t s = model->section[begin] + 1; s <= model->section[last]; s++)
        state->across[s] += by;
}

/* Draws conclusions until nothing changes any more. */
static bool propagate(struct exact_state *state)
{
    do {
        if (!exact_spans_refresh(state) || !exact_reject_refresh(state) ||
            (!state->batches.touched_count && !exact_handover_refresh(state)))
            return false;
    } while (state->batches.touched_count);
    return true;
}

static bool start_one(struct exact_state *state, unsigned rules, const uint32_t *rank,
                      uint64_t capacity)
{
    const struct exact_model *model = state->model;
    assert(state->batches.grid && rules <= EXACT_RULES_ALL);
    state->rules = rules;
    state->rank = rank;
    state->capacity = capacity;
    state->next_capacity = UINT64_MAX;
    state->rejected_count = 0;
    state->last_serial = 1;
    state->top = (struct exact_mark){.serial = 1};

    /* Where the load of a section is above the capacity, nothing needs to be placed. */
    for (uint32_t s = 0; s < model->sections; s++)
        if (model->load[s] > capacity)
            exact_state_lower_next_capacity(state, model->load[s]);
    if (state->next_capacity != UINT64_MAX)
        return false;
    memset(state->across, 0, ((size_t)model->sections + 1) * sizeof *state->across);
    exact_batches_start(&state->batches);
    for (uint32_t b = 0; b < model->buffers; b++) {
        state->lowest[b] = model->lowest[b];
        state->placed[b] = false;
        state->needs[b] = 0;
        state->offset_serial[b] = 0;
        change_across(state, b, 1);
    }
    for (uint32_t b = 0; b < model->buffers; b++)
        if (!exact_raise(state, b, 0))
            return false;
    for (uint32_t b = 0; rules & EXACT_RULE_TWINS && b < model->buffers; b++)
        if (model->before[b] != EXACT_NONE &&
            !exact_raise(state, b, state->lowest[model->before[b]] + model->size[b]))
            return false;
    return propagate(state);
}

bool exact_node_start(struct exact_state *state, unsigned rules, const uint32_t *rank,
                      uint64_t capacity)
{
    bool can_be = start_one(state, rules, rank, capacity);
    for (state = state->along; state && can_be; state = state->along)
        can_be = start_one(state, rules, rank, state->model->capacity);
    return can_be;
}

static struct exact_mark mark_one(struct exact_state *state)
{
    struct exact_mark mark = state->top;
    assert(mark.serial <= state->last_serial);
    state->top.serial = ++state->last_serial;
    return mark;
}

struct exact_mark exact_node_mark(struct exact_state *state)
{
    for (struct exact_state *along = state->along; along; along = along->along)
        along->mark[along->top.placed] = mark_one(along);
    return mark_one(state);
}

static void undo_one(struct exact_state *state, const struct exact_mark *mark)
{
    assert(mark->serial < state->top.serial && mark->placed <= state->top.placed);
    assert(mark->offsets <= state->top.offsets && mark->batches <= state->top.batches);
    assert(mark->needs <= state->top.needs);
    exact_batches_forget_touches(&state->batches);
    while (state->top.placed > mark->placed) {
        uint32_t buffer = state->placement[--state->top.placed];
        assert(state->placed[buffer] && !state->needs[buffer]);
        state->placed[buffer] = false;
        exact_batches_give_back(&state->batches, buffer);
        change_across(state, buffer, 1);
    }
    while (state->top.offsets > mark->offsets) {
        const struct exact_saved_offset *saved = &state->saved_offset[--state->top.offsets];
        assert(saved->offset < state->lowest[saved->buffer] && !state->placed[saved->buffer]);
        state->lowest[saved->buffer] = saved->offset;
    }
    while (state->top.batches > mark->batches)
        exact_batches_restore(&state->batches, &state->saved_batch[--state->top.batches]);
    while (state->top.needs > mark->needs)
        exact_reject_undo(state, &state->saved_needs[--state->top.needs]);
    state->top = *mark;
    assert(!state->batches.touched_count);
}

void exact_node_undo(struct exact_state *state, const struct exact_mark *mark)
{
    size_t placed = mark->placed;
    undo_one(state, mark);
    for (state = state->along; state; state = state->along)
        undo_one(state, &state->mark[placed]);
}

static bool place_one(struct exact_state *state, uint32_t buffer)
{
    const struct exact_model *model = state->model;
    const struct conflicts *conflicts = model->conflicts;
    uint64_t offset = state->lowest[buffer];
    assert(!state->placed[buffer] && !state->batches.touched_count);
    assert(offset <= model->highest[buffer] && offset % model->alignment[buffer] == 0);
    assert(offset + model->size[buffer] <= state->capacity || !model->whole);
    state->placed[buffer] = true;
    state->placement[state->top.placed++] = buffer;
    exact_reject_end(state, buffer);
    exact_batches_take(&state->batches, buffer);
    change_across(state, buffer, UINT32_MAX);
    exact_batches_touch(&state->batches, buffer);

    /* What conflicts with it and is not placed yet lies above it. */
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (state->placed[other])
            continue;
        assert(offset < state->lowest[other] + exact_below(model, i) || state->first->along);
        if (state->needs[other])
            exact_reject_meet(state, other, buffer);
        uint64_t end = offset + exact_above(model, buffer, i);
        if (state->lowest[other] < end && !exact_raise(state, other, end))
            return false;
    }
    return propagate(state);
}

bool exact_node_place(struct exact_state *state, uint32_t buffer)
{
    state->experience->counter[SEARCH_PLACEMENTS]++;
    bool can_be = true;
    for (; state && can_be; state = state->along)
        can_be = place_one(state, buffer);
    return can_be;
}

bool exact_node_reject(struct exact_state *state, uint32_t buffer)
{
    assert(!state->placed[buffer]);
    state->experience->counter[SEARCH_REJECTIONS]++;
    if (state->model->highest[buffer] != UINT64_MAX) {
        state->experience->counter[SEARCH_FAILED_FIXED]++;
        return false;
    }
    for (struct exact_state *along = state; along; along = along->along)
        exact_reject_begin(along, buffer);
    bool can_be = true;
    for (; state && can_be; state = state->along)
        can_be = exact_reject_refresh_one(state, buffer) && propagate(state);
    return can_be;
}
