#include "solvers/exact/race/reject.h"

#include <assert.h>

#include "solvers/exact/race/raise.h"

static void save_needs(struct exact_state *state, uint32_t buffer)
{
    assert(state->top.needs < state->needs_capacity);
    state->saved_needs[state->top.needs++] = (struct exact_saved_needs){
        .refused = state->refused[buffer], .buffer = buffer, .needs = state->needs[buffer]};
}

/* A buffer is in the list of rejected ones as long as it needs something. */
static void set_needs(struct exact_state *state, uint32_t buffer, uint8_t needs)
{
    assert(needs <= (EXACT_NEEDS_SUPPORT | EXACT_NEEDS_FILLER));
    if (needs && !state->needs[buffer]) {
        assert(state->rejected_count < state->model->buffers);
        state->rejected_at[buffer] = state->rejected_count;
        state->rejected[state->rejected_count++] = buffer;
    }
    if (!needs && state->needs[buffer]) {
        assert(state->rejected[state->rejected_at[buffer]] == buffer);
        uint32_t last = state->rejected[--state->rejected_count];
        state->rejected[state->rejected_at[buffer]] = last;
        state->rejected_at[last] = state->rejected_at[buffer];
    }
    state->needs[buffer] = needs;
}

void exact_reject_begin(struct exact_state *state, uint32_t buffer)
{
    assert(!state->placed[buffer]);
    save_needs(state, buffer);
    state->refused[buffer] = state->lowest[buffer];
    state->support[buffer] = state->filler[buffer] = UINT64_MAX;
    assert(!state->needs[buffer] || state->rejected[state->rejected_at[buffer]] == buffer);
    set_needs(state, buffer,
              state->rules & EXACT_RULE_GAP ? EXACT_NEEDS_SUPPORT | EXACT_NEEDS_FILLER
                                            : EXACT_NEEDS_SUPPORT);
}

void exact_reject_end(struct exact_state *state, uint32_t buffer)
{
    if (!state->needs[buffer])
        return;
    save_needs(state, buffer);
    set_needs(state, buffer, 0);
}

void exact_reject_undo(struct exact_state *state, const struct exact_saved_needs *saved)
{
    assert(!state->placed[saved->buffer]);
    set_needs(state, saved->buffer, saved->needs);
    state->refused[saved->buffer] = saved->refused;
}

/* Whether the other buffer's lowest offset is below that at which the buffer was rejected in the
   plan of some model: the states along one another are of the same decisions. */
static bool begins_below(const struct exact_state *state, uint32_t other, uint32_t buffer)
{
    for (state = state->first; state; state = state->along)
        if (state->lowest[other] < state->refused[buffer])
            return true;
    return false;
}

/* The other buffer of the entry can be the one on which the rejected buffer lies: unless, lying
   between that and the offset at which it was rejected, it could go up by the rejected buffer's
   size and let it down to there. */
static bool can_support(const struct exact_state *state, uint32_t buffer, uint64_t entry)
{
    uint32_t other = state->model->conflicts->other[entry];
    uint8_t relation = state->model->relation[entry];
    assert(other != buffer && relation <= EXACT_SAME);
    return !(state->rules & EXACT_RULE_NESTED) || begins_below(state, other, buffer) ||
           relation == EXACT_OUTSIDE ||
           (relation == EXACT_SAME && state->rank[other] <= state->rank[buffer]);
}

/* The other buffer of the entry can overlap the place at which the buffer was rejected. */
static bool can_fill(const struct exact_state *state, uint32_t buffer, uint64_t entry)
{
    uint32_t other = state->model->conflicts->other[entry];
    for (state = state->first; state; state = state->along)
        if (state->lowest[other] <
            state->refused[buffer] + exact_above(state->model, buffer, entry))
            return true;
    return false;
}

void exact_reject_meet(struct exact_state *state, uint32_t rejected, uint32_t placed)
{
    assert(state->needs[rejected] && !state->placed[rejected]);
    uint64_t entry = exact_model_entry(state->model, rejected, placed);
    assert(state->model->conflicts->other[entry] == placed && state->placed[placed]);
    uint8_t needs = state->needs[rejected];
    if (can_support(state, rejected, entry))
        needs &= (uint8_t)~EXACT_NEEDS_SUPPORT;
    if (can_fill(state, rejected, entry))
        needs &= (uint8_t)~EXACT_NEEDS_FILLER;
    if (needs == state->needs[rejected])
        return;
    save_needs(state, rejected);
    set_needs(state, rejected, needs);
}

typedef bool meets_need(const struct exact_state *state, uint32_t buffer, uint64_t entry);

static uint64_t get_end(const struct exact_state *state, uint64_t entry)
{
    return state->lowest[state->model->conflicts->other[entry]] + exact_below(state->model, entry);
}

/* Raises the rejected buffer to the least end of the buffers that meet the need; *entry remembers
   which one that was. False where no buffer meets it, which is counted as the failure. */
static bool refresh_need(struct exact_state *state, uint32_t buffer, meets_need *meets,
                         uint64_t *entry, enum search_counter failure)
{
    const struct conflicts *conflicts = state->model->conflicts;
    assert(!state->placed[buffer] && state->lowest[buffer] >= state->refused[buffer]);

    /* The buffer that met the need when it was last looked at still meets it, and ends no higher
       than the lowest offset of the rejected one. So this need does not raise it. */
    if (*entry != UINT64_MAX && !state->placed[conflicts->other[*entry]] &&
        get_end(state, *entry) <= state->lowest[buffer] && meets(state, buffer, *entry))
        return true;
    uint64_t end = UINT64_MAX, found = UINT64_MAX;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        if (state->placed[conflicts->other[i]])
            continue;
        uint64_t its_end = get_end(state, i);
        assert(its_end > state->lowest[conflicts->other[i]]);
        if (its_end < end && meets(state, buffer, i)) {
            end = its_end;
            found = i;
        }
    }
    *entry = found;
    if (found == UINT64_MAX) {
        state->experience->counter[failure]++;
        return false;
    }
    assert(!state->placed[conflicts->other[found]]);
    if (end <= state->lowest[buffer])
        return true;
    state->experience->counter[SEARCH_RAISED_REJECTED]++;
    return exact_raise(state, buffer, end);
}

static bool refresh_buffer(struct exact_state *state, uint32_t buffer)
{
    if (state->needs[buffer] & EXACT_NEEDS_SUPPORT &&
        !refresh_need(state, buffer, can_support, &state->support[buffer], SEARCH_FAILED_SUPPORT))
        return false;
    return !(state->needs[buffer] & EXACT_NEEDS_FILLER) ||
           refresh_need(state, buffer, can_fill, &state->filler[buffer], SEARCH_FAILED_GAP);
}

bool exact_reject_refresh(struct exact_state *state)
{
    for (uint32_t i = 0; i < state->rejected_count; i++)
        if (!refresh_buffer(state, state->rejected[i]))
            return false;
    return true;
}

bool exact_reject_refresh_one(struct exact_state *state, uint32_t buffer)
{
    assert(state->needs[buffer]);
    if (!refresh_buffer(state, buffer))
        return false;
    if (!(state->rules & EXACT_RULE_PERSIST))
        exact_reject_end(state, buffer);
    return true;
}
