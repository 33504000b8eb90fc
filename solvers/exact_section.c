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

/* They were in order before a few were raised. Returns the least offset. */
static uint64_t sort_jobs(const uint64_t *lowest, struct exact_job *job, uint32_t count)
{
    uint64_t floor = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t offset = lowest[job[i].buffer], release = offset + job[i].window;
        floor = offset < floor ? offset : floor;
        job[i].release = release;
        if (!i || job[i - 1].release <= release)
            continue;
        struct exact_job moved = job[i];
        uint32_t at = i;
        for (; at && job[at - 1].release > release; at--)
            job[at] = job[at - 1];
        job[at] = moved;
    }
    return floor;
}

/* Those that can be the lowest come first; what cannot lies above the least of their ends. */
static uint64_t measure_candidates(struct exact_state *state, uint32_t section,
                                   const struct exact_job *job)
{
    uint64_t span = 0, least_end = UINT64_MAX;
    uint64_t highest = state->capacity - state->bytes_left[section];
    uint32_t i = 0;
    for (; i < state->left[section] && job[i].release <= highest; i++) {
        uint64_t end = job[i].release + job[i].width;
        span = (job[i].release > span ? job[i].release : span) + job[i].width;
        least_end = end < least_end ? end : least_end;
    }
    state->candidates[section] = i;
    state->least_end[section] = least_end;
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
    state->floor[section] = sort_jobs(state->lowest, job, count);
    uint64_t span = measure_candidates(state, section, job);
    for (uint32_t i = state->candidates[section]; i < count; i++)
        span = (job[i].release > span ? job[i].release : span) + job[i].width;
    state->span[section] = span;
    return span <= state->capacity || refuse_span(state, section, span);
}

/* The section was refreshed and its list is in order, but what this raises disturbs it. */
bool exact_section_raise_others(struct exact_state *state, uint32_t section)
{
    const struct exact_job *job = list_jobs(state, section);
    uint64_t least_end = state->least_end[section];
    for (uint32_t i = state->candidates[section]; i < state->left[section]; i++) {
        uint64_t offset = state->lowest[job[i].buffer], release = offset + job[i].window;
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
