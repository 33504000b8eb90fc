#include "solvers/exact_state.h"

/* What a section says of the buffers that are left in it. They lie on top of each other, so that
   they are the jobs of one machine with release dates: in order of these, each begins no sooner
   than at its own and at the end of those before. */

static struct exact_job *list_jobs(const struct exact_state *state, uint32_t section)
{
    return state->listed + state->model->first[section];
}

/* Placed ones lie behind those that are left, the last one first, so that giving it back only
   moves the border. */
static void take_from(struct exact_state *state, uint32_t section, uint32_t buffer)
{
    struct exact_job *job = list_jobs(state, section);
    uint32_t at = 0, last = --state->left[section];
    while (job[at].buffer != buffer)
        at++;
    struct exact_job taken = job[at];
    for (; at < last; at++)
        job[at] = job[at + 1];
    job[last] = taken;
    state->bytes_left[section] -= taken.width;
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
        state->bytes_left[section] += list_jobs(state, section)[state->left[section]++].width;
    }
    for (uint32_t s = model->section[begin] + 1; s <= model->section[end - 1]; s++)
        state->across[s]++;
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

/* Where the bytes that the section sees begin at the lowest. */
static uint64_t get_release(const struct exact_state *state, const struct exact_job *job)
{
    uint64_t lowest = state->lowest[job->buffer];
    return state->model->whole ? lowest : lowest + state->model->window[job->entry];
}

/* They were in order before a few were raised. Fills state->release. */
static void sort_jobs(const struct exact_state *state, struct exact_job *job, uint32_t count)
{
    uint64_t *release = state->release;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = get_release(state, &job[i]);
        release[i] = key;
        if (!i || release[i - 1] <= key)
            continue;
        struct exact_job moved = job[i];
        uint32_t at = i;
        for (; at && release[at - 1] > key; at--) {
            release[at] = release[at - 1];
            job[at] = job[at - 1];
        }
        release[at] = key;
        job[at] = moved;
    }
}

static uint64_t find_floor(const struct exact_state *state, const struct exact_job *job,
                           uint32_t count)
{
    uint64_t floor = UINT64_MAX;
    if (state->model->whole)
        return count ? state->release[0] : UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t lowest = state->lowest[job[i].buffer];
        floor = lowest < floor ? lowest : floor;
    }
    return floor;
}

/* Those that can be the lowest come first; what cannot lies above the least of their ends. */
static void find_candidates(struct exact_state *state, uint32_t section,
                            const struct exact_job *job)
{
    const uint64_t *release = state->release;
    uint64_t highest = state->capacity - state->bytes_left[section], least_end = UINT64_MAX;
    uint32_t i = 0;
    for (; i < state->left[section] && release[i] <= highest; i++) {
        uint64_t end = release[i] + job[i].width;
        least_end = end < least_end ? end : least_end;
    }
    state->candidates[section] = i;
    state->least_end[section] = least_end;
}

static uint64_t find_span(const struct exact_state *state, const struct exact_job *job,
                          uint32_t count)
{
    const uint64_t *release = state->release;
    uint64_t span = 0;
    for (uint32_t i = 0; i < count; i++)
        span = (release[i] > span ? release[i] : span) + job[i].width;
    return span;
}

static bool refuse_span(struct exact_state *state, uint32_t section, uint64_t span)
{
    state->counter[SEARCH_FAILED_SPAN]++;
    if (span < state->excess)
        state->excess = span;
    state->weight[section] += state->increment;
    state->increment *= 1.0005;
    state->refused_last = section;
    return false;
}

bool exact_section_refresh(struct exact_state *state, uint32_t section)
{
    struct exact_job *job = list_jobs(state, section);
    uint32_t count = state->left[section];
    if (state->bytes_left[section] > state->capacity)
        return refuse_span(state, section, state->bytes_left[section]);
    save_section(state, section);
    sort_jobs(state, job, count);
    state->floor[section] = find_floor(state, job, count);
    state->span[section] = find_span(state, job, count);
    if (state->span[section] > state->capacity)
        return refuse_span(state, section, state->span[section]);
    find_candidates(state, section, job);
    return true;
}

/* The section was refreshed and its list is in order, but what this raises disturbs it. */
bool exact_section_raise_others(struct exact_state *state, uint32_t section)
{
    const struct exact_job *job = list_jobs(state, section);
    uint64_t least_end = state->least_end[section];
    for (uint32_t i = state->candidates[section]; i < state->left[section]; i++) {
        uint64_t offset = state->lowest[job[i].buffer], release = get_release(state, &job[i]);
        if (release >= least_end)
            return true;
        if (release + state->bytes_left[section] < state->excess)
            state->excess = release + state->bytes_left[section];
        state->counter[SEARCH_RAISED_FIRST]++;
        if (!exact_state_raise(state, job[i].buffer, offset + least_end - release))
            return false;
    }
    return true;
}
