#include "solvers/exact_state.h"

/* What a section says of the buffers that are left in it. They lie on top of each other, so that
   they are the jobs of one machine with release dates: in order of these, each begins no sooner
   than at its own and at the end of those before. */

static uint32_t *list_entries(const struct exact_state *state, uint32_t section)
{
    return state->listed + state->model->first[section];
}

/* Placed ones lie behind those that are left, the last one first, so that giving it back only
   moves the border. */
static void take_from(struct exact_state *state, uint32_t section, uint32_t buffer)
{
    const struct exact_model *model = state->model;
    uint32_t *listed = list_entries(state, section), at = 0, last = --state->left[section];
    while (model->member[listed[at]] != buffer)
        at++;
    uint32_t entry = listed[at];
    for (; at < last; at++)
        listed[at] = listed[at + 1];
    listed[last] = entry;
    state->bytes_left[section] -= exact_width(model, entry);
}

void exact_section_take(struct exact_state *state, uint32_t buffer)
{
    const struct exact_model *model = state->model;
    uint64_t begin = model->first_section[buffer], end = model->first_section[buffer + 1];
    for (uint64_t i = begin; i < end; i++)
        take_from(state, model->section[i], buffer);
    for (uint32_t s = model->section[begin] + 1; s <= model->section[end - 1]; s++)
        state->across[s]--;
}

void exact_section_give_back(struct exact_state *state, uint32_t buffer)
{
    const struct exact_model *model = state->model;
    uint64_t begin = model->first_section[buffer], end = model->first_section[buffer + 1];
    for (uint64_t i = begin; i < end; i++) {
        uint32_t section = model->section[i];
        uint32_t entry = list_entries(state, section)[state->left[section]++];
        state->bytes_left[section] += exact_width(model, entry);
    }
    for (uint32_t s = model->section[begin] + 1; s <= model->section[end - 1]; s++)
        state->across[s]++;
}

/* They were in order before a few were raised. */
static void sort_entries(const struct exact_state *state, uint32_t *listed, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = listed[i], at = i;
        uint64_t release = exact_release(state, moved);
        for (; at && exact_release(state, listed[at - 1]) > release; at--)
            listed[at] = listed[at - 1];
        listed[at] = moved;
    }
}

static void save_section(struct exact_state *state, uint32_t section)
{
    if (state->section_serial[section] == state->top.serial)
        return;
    state->section_serial[section] = state->top.serial;
    state->saved_section[state->top.sections++] =
        (struct exact_saved_section){.floor = state->floor[section],
                                     .span = state->span[section],
                                     .section = section,
                                     .candidates = state->candidates[section]};
}

static void measure_section(struct exact_state *state, uint32_t section)
{
    const struct exact_model *model = state->model;
    const uint32_t *listed = list_entries(state, section);
    uint64_t span = 0, floor = UINT64_MAX;
    for (uint32_t i = 0; i < state->left[section]; i++) {
        uint64_t release = exact_release(state, listed[i]);
        uint64_t lowest = state->lowest[model->member[listed[i]]];
        span = (release > span ? release : span) + exact_width(model, listed[i]);
        floor = lowest < floor ? lowest : floor;
    }
    state->floor[section] = floor;
    state->span[section] = span;
}

static bool refuse_span(struct exact_state *state, uint32_t section)
{
    state->counter[SEARCH_FAILED_SPAN]++;
    if (state->span[section] < state->excess)
        state->excess = state->span[section];
    state->weight[section] += state->increment;
    state->increment *= 1.0005;
    return false;
}

/* Counts those that can be the lowest, which come first, and finds their least end. */
static uint64_t count_candidates(struct exact_state *state, uint32_t section)
{
    const uint32_t *listed = list_entries(state, section);
    uint64_t highest = state->capacity - state->bytes_left[section], least_end = UINT64_MAX;
    uint32_t count = 0;
    for (; count < state->left[section]; count++) {
        uint64_t release = exact_release(state, listed[count]);
        if (release > highest)
            break;
        uint64_t end = release + exact_width(state->model, listed[count]);
        least_end = end < least_end ? end : least_end;
    }
    state->candidates[section] = count;
    return least_end;
}

/* The others lie above one of the candidates. */
static bool raise_others(struct exact_state *state, uint32_t section, uint64_t least_end)
{
    const struct exact_model *model = state->model;
    const uint32_t *listed = list_entries(state, section);
    for (uint32_t i = state->candidates[section]; i < state->left[section]; i++) {
        uint32_t buffer = model->member[listed[i]];
        uint64_t release = exact_release(state, listed[i]);
        if (release >= least_end)
            return true;
        if (release + state->bytes_left[section] < state->excess)
            state->excess = release + state->bytes_left[section];
        state->counter[SEARCH_RAISED_FIRST]++;
        if (!exact_state_raise(state, buffer, state->lowest[buffer] + least_end - release))
            return false;
    }
    return true;
}

bool exact_section_refresh(struct exact_state *state, uint32_t section)
{
    save_section(state, section);
    sort_entries(state, list_entries(state, section), state->left[section]);
    measure_section(state, section);
    if (state->span[section] > state->capacity)
        return refuse_span(state, section);
    uint64_t least_end = count_candidates(state, section);
    return !(state->rules & EXACT_RULE_FIRST) || raise_others(state, section, least_end);
}
