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
static void sort_entries(const struct exact_state *state, uint32_t *listed, uint64_t *release,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t moved = listed[i], at = i;
        uint64_t key = exact_release(state, moved);
        for (; at && release[at - 1] > key; at--) {
            listed[at] = listed[at - 1];
            release[at] = release[at - 1];
        }
        listed[at] = moved;
        release[at] = key;
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

/* Those that can be the lowest come first; what cannot lies above the least of their ends. */
static void measure_section(struct exact_state *state, uint32_t section, const uint32_t *listed,
                            const uint64_t *release, uint32_t count)
{
    const struct exact_model *model = state->model;
    uint64_t span = 0, least_end = UINT64_MAX;
    uint64_t free = state->capacity - state->bytes_left[section];
    uint32_t candidates = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t width = exact_width(model, listed[i]);
        span = (release[i] > span ? release[i] : span) + width;
        if (release[i] > free)
            continue;
        least_end = release[i] + width < least_end ? release[i] + width : least_end;
        candidates++;
    }
    state->span[section] = span;
    state->candidates[section] = candidates;
    state->least_end[section] = least_end;
}

static uint64_t find_floor(const struct exact_state *state, const uint32_t *listed, uint32_t count)
{
    uint64_t floor = UINT64_MAX;
    if (state->model->whole)
        return count ? state->lowest[state->model->member[listed[0]]] : UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t lowest = state->lowest[state->model->member[listed[i]]];
        floor = lowest < floor ? lowest : floor;
    }
    return floor;
}

static bool refuse_span(struct exact_state *state, uint32_t section, uint64_t span)
{
    state->counter[SEARCH_FAILED_SPAN]++;
    if (span < state->excess)
        state->excess = span;
    state->weight[section] += state->increment;
    state->increment *= 1.0005;
    return false;
}

bool exact_section_refresh(struct exact_state *state, uint32_t section)
{
    uint32_t *listed = list_entries(state, section), count = state->left[section];
    uint64_t *release = state->release + state->model->first[section];
    if (state->bytes_left[section] > state->capacity)
        return refuse_span(state, section, state->bytes_left[section]);
    save_section(state, section);
    sort_entries(state, listed, release, count);
    measure_section(state, section, listed, release, count);
    state->floor[section] = find_floor(state, listed, count);
    return state->span[section] <= state->capacity ||
           refuse_span(state, section, state->span[section]);
}

/* The sections were refreshed and their lists are in order, but what this raises disturbs. */
bool exact_section_raise_others(struct exact_state *state, uint32_t section)
{
    const struct exact_model *model = state->model;
    const uint32_t *listed = list_entries(state, section);
    uint64_t least_end = state->least_end[section];
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
