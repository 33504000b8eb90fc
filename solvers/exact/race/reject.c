#include "solvers/exact/race/state.h"

/* What follows from a buffer b lying above the offset L at which it was rejected. In the plan
   that is searched b cannot go down, so

   - it lies on a conflicting buffer c: its offset is the end of one, which was not placed when b
     was rejected, as all that were end at L or below;
   - of those between L and b some is no buffer that lives within b: otherwise b could go down to L
     and they up by its size, which makes the sum less since together they fill no more than
     the bytes and sections that b leaves free. The same holds of buffers that live exactly as long
     as b and have a worse rank;
   - some conflicting buffer overlaps [L, L + size): otherwise b could go down to L.

   Each says that b lies above one of several buffers c, so above the least of their ends. A
   need ends when one of them is placed. */

static void save_needs(struct exact_state *state, uint32_t buffer)
{
    state->saved_needs[state->top.needs++] = (struct exact_saved_needs){
        .refused = state->refused[buffer], .buffer = buffer, .needs = state->needs[buffer]};
}

/* Keeps the list of those that need something. */
static void set_needs(struct exact_state *state, uint32_t buffer, uint8_t needs)
{
    if (needs && !state->needs[buffer]) {
        state->rejected_at[buffer] = state->rejections;
        state->rejected[state->rejections++] = buffer;
    }
    if (!needs && state->needs[buffer]) {
        uint32_t last = state->rejected[--state->rejections];
        state->rejected[state->rejected_at[buffer]] = last;
        state->rejected_at[last] = state->rejected_at[buffer];
    }
    state->needs[buffer] = needs;
}

void exact_reject_begin(struct exact_state *state, uint32_t buffer)
{
    save_needs(state, buffer);
    state->refused[buffer] = state->lowest[buffer];
    state->support[buffer] = state->filler[buffer] = UINT64_MAX;
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
    set_needs(state, saved->buffer, saved->needs);
    state->refused[saved->buffer] = saved->refused;
}

static bool is_movable(const struct exact_state *state, uint32_t buffer, uint64_t entry)
{
    switch (state->model->relation[entry]) {
    case EXACT_INSIDE:
        return true;
    case EXACT_SAME:
        return state->rank[state->model->conflicts->other[entry]] > state->rank[buffer];
    default:
        return false;
    }
}

/* The entry of the rejected buffer is one that it can lie on. */
static bool can_support(const struct exact_state *state, uint32_t buffer, uint64_t entry)
{
    uint32_t other = state->model->conflicts->other[entry];
    return !(state->rules & EXACT_RULE_NESTED) || state->lowest[other] < state->refused[buffer] ||
           !is_movable(state, buffer, entry);
}

static bool can_fill(const struct exact_state *state, uint32_t buffer, uint64_t entry)
{
    uint32_t other = state->model->conflicts->other[entry];
    return state->lowest[other] < state->refused[buffer] + exact_above(state->model, buffer, entry);
}

void exact_reject_meet(struct exact_state *state, uint32_t rejected, uint32_t placed)
{
    uint64_t entry = exact_model_entry(state->model, rejected, placed);
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

static bool still_meets(const struct exact_state *state, uint32_t buffer, uint64_t entry,
                        meets_need *meets)
{
    return entry != UINT64_MAX && !state->placed[state->model->conflicts->other[entry]] &&
           get_end(state, entry) <= state->lowest[buffer] && meets(state, buffer, entry);
}

/* The entry with the least end among those that meet the need; UINT64_MAX for none. */
static uint64_t find_least_end(const struct exact_state *state, uint32_t buffer, meets_need *meets)
{
    const struct conflicts *conflicts = state->model->conflicts;
    uint64_t least_end = UINT64_MAX, found = UINT64_MAX;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        if (state->placed[conflicts->other[i]])
            continue;
        uint64_t end = get_end(state, i);
        if (end < least_end && meets(state, buffer, i)) {
            least_end = end;
            found = i;
        }
    }
    return found;
}

static bool refresh_need(struct exact_state *state, uint32_t buffer, meets_need *meets,
                         uint64_t *entry, enum search_counter failure)
{
    if (still_meets(state, buffer, *entry, meets))
        return true;
    *entry = find_least_end(state, buffer, meets);
    if (*entry == UINT64_MAX) {
        state->counter[failure]++;
        return false;
    }
    uint64_t end = get_end(state, *entry);
    if (end <= state->lowest[buffer])
        return true;
    state->counter[SEARCH_RAISED_REJECTED]++;
    return exact_state_raise(state, buffer, end);
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
    for (uint32_t i = 0; i < state->rejections; i++)
        if (!refresh_buffer(state, state->rejected[i]))
            return false;
    return true;
}

bool exact_reject_refresh_one(struct exact_state *state, uint32_t buffer)
{
    if (!refresh_buffer(state, buffer))
        return false;
    if (!(state->rules & EXACT_RULE_PERSIST))
        exact_reject_end(state, buffer);
    return true;
}
