#include "planning/lowering/repeated_steps.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/lowering/condition_sweep.h"

enum { STARTS = 1, ENDS = 2 };

struct repeat {
    uint32_t track, step;
};

struct repeater {
    const struct path_liveness *paths;
    const struct path_tracks *tracks;
    struct path_sweep sweep;
    uint32_t steps;
    uint32_t *sections;   /* [steps + 1] how many sections end before each step */
    uint32_t *section;    /* [sections[steps]] the steps at which they end */
    uint32_t *last_start; /* [steps] the last step up to here at which something starts */
    uint32_t *begin;      /* [tracks] the step from which it is being repeated, or GRAPH_NONE */
    struct path_track_set open; /* tracks that are being repeated */
    struct repeat *repeat;
    uint32_t repeats;
    size_t repeat_capacity;
    struct error *error;
};

static enum status mark_steps(const struct repeater *repeater, uint8_t **marks)
{
    TRY(memory_create(marks, (size_t)repeater->steps + 1, sizeof **marks, repeater->error));
    for (uint32_t p = 0; p < repeater->paths->intervals; p++) {
        assert(repeater->paths->interval[p].lower < repeater->paths->interval[p].upper);
        (*marks)[repeater->paths->interval[p].lower] |= STARTS;
        (*marks)[repeater->paths->interval[p].upper - 1] |= ENDS;
    }
    return STATUS_OK;
}

/* A section ends where an interval ends, if some interval has started since the section before
   ended: more is live at once there than at the steps around it. */
static enum status find_sections(struct repeater *repeater)
{
    uint8_t *marks;
    uint32_t start = 0, sections = 0;
    bool started = true;
    TRY(mark_steps(repeater, &marks));
    for (uint32_t s = 0; s < repeater->steps; s++) {
        if (marks[s] & STARTS) {
            start = s;
            started = true;
        }
        repeater->last_start[s] = start;
        repeater->sections[s] = sections;
        if (started && marks[s] & ENDS) {
            repeater->section[sections++] = s;
            started = false;
        }
    }
    repeater->sections[repeater->steps] = sections;
    memory_free(marks);
    return STATUS_OK;
}

static enum status add_repeat(struct repeater *repeater, uint32_t track, uint32_t step)
{
    TRY(memory_reserve(&repeater->repeat, &repeater->repeat_capacity, (size_t)repeater->repeats + 1,
                       sizeof *repeater->repeat, repeater->error));
    assert(track > 0 && step < repeater->steps);
    repeater->repeat[repeater->repeats++] = (struct repeat){track, step};
    return STATUS_OK;
}

static enum status repeat_stretch(struct repeater *repeater, uint32_t track, uint32_t end)
{
    uint32_t ended = repeater->sections[end], last = end - 1;
    assert(track > 0 && repeater->begin[track] < end);
    for (uint32_t i = repeater->sections[repeater->begin[track]]; i < ended; i++)
        TRY(add_repeat(repeater, track, repeater->section[i]));
    repeater->begin[track] = GRAPH_NONE;
    if (ended && repeater->section[ended - 1] >= repeater->last_start[last])
        return STATUS_OK;
    return add_repeat(repeater, track, last);
}

static uint32_t find_first(const struct path_track_set *set)
{
    uint32_t track = 0;
    assert(path_set_meet(set, set));
    while (!path_set_has(set, track))
        track++;
    assert(track < PATH_MOST_TRACKS);
    return track;
}

/* Adds to the chosen tracks one on which both conditions hold, unless one of those is chosen
   already; if possible a track that is being repeated anyway. */
static void choose_track(const struct repeater *repeater, uint32_t a, uint32_t b,
                         struct path_track_set *chosen)
{
    struct path_track_set both = repeater->tracks->condition[a];
    path_set_intersect(&both, &repeater->tracks->condition[b]);
    struct path_track_set open = both;
    path_set_intersect(&open, &repeater->open);
    if (!path_set_meet(&both, &both) || path_set_meet(&both, chosen))
        return;
    path_set_add(chosen, find_first(path_set_meet(&open, &open) ? &open : &both));
}

/* Chooses the tracks that are repeated from this step on. Each interval that starts has to meet all
   others that can be live with it on some of them, and each active condition has to hold on the
   line or on one of the others. */
static struct path_track_set choose_tracks(const struct repeater *repeater, uint32_t first_started)
{
    const struct path_sweep *sweep = &repeater->sweep;
    struct path_track_set chosen = {{0}};
    assert(first_started <= sweep->started);
    path_set_add(&chosen, 0);
    for (uint32_t s = first_started; s < sweep->started; s++) {
        uint32_t condition = repeater->paths->interval[sweep->by_lower[s]].condition;
        for (uint32_t i = 0; i < sweep->active_count; i++)
            choose_track(repeater, condition, sweep->active[i], &chosen);
    }
    for (uint32_t i = 0; i < sweep->active_count; i++)
        choose_track(repeater, sweep->active[i], sweep->active[i], &chosen);
    return chosen;
}

/* Other conditions are active from this step on than before: begins to repeat the tracks that are
   needed now, and ends repeating those that are not. */
static enum status turn_tracks(struct repeater *repeater, uint32_t step, uint32_t first_started)
{
    struct path_track_set chosen = choose_tracks(repeater, first_started);
    assert(path_set_has(&chosen, 0));
    for (uint32_t t = 1; t < repeater->tracks->tracks; t++) {
        bool useful = path_set_has(&chosen, t);
        if (useful && repeater->begin[t] == GRAPH_NONE)
            repeater->begin[t] = step;
        else if (!useful && repeater->begin[t] != GRAPH_NONE)
            TRY(repeat_stretch(repeater, t, step));
    }
    repeater->open = chosen;
    return STATUS_OK;
}

static enum status create_repeater(struct repeater *repeater)
{
    size_t steps = (size_t)repeater->steps + 1;
    TRY(path_sweep_create(&repeater->sweep, repeater->paths, repeater->error));
    TRY(memory_create(&repeater->sections, steps, sizeof(uint32_t), repeater->error));
    TRY(memory_create(&repeater->section, steps, sizeof(uint32_t), repeater->error));
    TRY(memory_create(&repeater->last_start, steps, sizeof(uint32_t), repeater->error));
    TRY(memory_create(&repeater->begin, repeater->tracks->tracks, sizeof(uint32_t),
                      repeater->error));
    for (uint32_t t = 0; t < repeater->tracks->tracks; t++)
        repeater->begin[t] = GRAPH_NONE;
    return find_sections(repeater);
}

static void free_repeater(struct repeater *repeater)
{
    path_sweep_free(&repeater->sweep);
    memory_free(repeater->sections);
    memory_free(repeater->section);
    memory_free(repeater->last_start);
    memory_free(repeater->begin);
    memory_free(repeater->repeat);
}

static enum status find_repeats(struct repeater *repeater)
{
    uint32_t step;
    TRY(create_repeater(repeater));
    while ((step = path_sweep_next(&repeater->sweep)) != GRAPH_NONE) {
        uint32_t first_started = repeater->sweep.started;
        path_sweep_go(&repeater->sweep, step);
        TRY(turn_tracks(repeater, step, first_started));
    }
    assert(repeater->sweep.active_count == 0);
    return STATUS_OK;
}

static enum status group_repeats(const struct repeater *repeater, struct path_repeats *repeats)
{
    uint32_t tracks = repeater->tracks->tracks;
    TRY(memory_create(&repeats->first, (size_t)tracks + 2, sizeof *repeats->first,
                      repeater->error));
    TRY(memory_create(&repeats->step, repeater->repeats, sizeof *repeats->step, repeater->error));
    for (uint32_t c = 0; c < repeater->repeats; c++)
        repeats->first[repeater->repeat[c].track + 2]++;
    for (uint32_t t = 0; t < tracks; t++)
        repeats->first[t + 2] += repeats->first[t + 1];
    for (uint32_t c = 0; c < repeater->repeats; c++)
        repeats->step[repeats->first[repeater->repeat[c].track + 1]++] = repeater->repeat[c].step;
    assert(repeats->first[1] == 0 && repeats->first[tracks] == repeater->repeats);
    return STATUS_OK;
}

enum status path_repeats_create(struct path_repeats *repeats, const struct path_liveness *paths,
                                const struct path_tracks *tracks, struct error *error)
{
    struct repeater repeater = {
        .paths = paths, .tracks = tracks, .steps = paths->steps, .error = error};
    *repeats = (struct path_repeats){0};
    enum status status = find_repeats(&repeater);
    if (!status)
        status = group_repeats(&repeater, repeats);
    free_repeater(&repeater);
    return status;
}

void path_repeats_free(struct path_repeats *repeats)
{
    memory_free(repeats->first);
    memory_free(repeats->step);
    *repeats = (struct path_repeats){0};
}
