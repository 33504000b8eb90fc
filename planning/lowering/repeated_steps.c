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
    uint32_t *sections;   /* [steps + 1] how many sections end before each step */
    uint32_t *section;    /* [sections[steps]] the steps at which they end */
    uint32_t *last_start; /* [steps] the last step up to here at which something starts */
    uint32_t *begin;      /* [tracks] the step from which it is being repeated, or GRAPH_NONE */
    struct path_track_set open; /* tracks that are being repeated */
    struct repeat *repeat;
    uint32_t repeats;
    size_t repeat_capacity;
    struct scratch scratch;
    struct error *error;
};

static enum status add_repeat(struct repeater *repeater, uint32_t track, uint32_t step)
{
    TRY(memory_reserve(&repeater->repeat, &repeater->repeat_capacity, (size_t)repeater->repeats + 1,
                       sizeof *repeater->repeat, repeater->error));
    assert(track > 0 && step < repeater->paths->steps);
    repeater->repeat[repeater->repeats++] = (struct repeat){track, step};
    return STATUS_OK;
}

/* Adds to the chosen tracks one on which both conditions hold, unless one of those is chosen
   already; if possible a track that is being repeated anyway. */
static void choose_track(const struct repeater *repeater, uint32_t a, uint32_t b,
                         struct path_track_set *chosen)
{
    assert(a < repeater->paths->conditions && b < repeater->paths->conditions);
    struct path_track_set both = repeater->tracks->condition[a];
    path_set_intersect(&both, &repeater->tracks->condition[b]);
    struct path_track_set open = both;
    path_set_intersect(&open, &repeater->open);
    if (!path_set_meet(&both, &both) || path_set_meet(&both, chosen))
        return;
    path_set_add(chosen, path_set_next(path_set_meet(&open, &open) ? &open : &both, 0));
}

/* Other conditions are active from this step on than before: begins to repeat the tracks that are
   needed now, and ends repeating those that are not. Each interval that starts has to meet all
   others that can be live with it on some of them, and each active condition has to hold on the
   line or on one of the others. */
static enum status turn_tracks(struct repeater *repeater, uint32_t step, uint32_t first_started)
{
    const struct path_sweep *sweep = &repeater->sweep;
    const uint32_t *active = sweep->active.item;
    struct path_track_set chosen = {{0}};
    assert(first_started <= sweep->started);
    path_set_add(&chosen, 0);
    for (uint32_t s = first_started; s < sweep->started; s++) {
        uint32_t condition = repeater->paths->interval[sweep->by_lower[s]].condition;
        for (uint32_t i = 0; i < sweep->active.count; i++)
            choose_track(repeater, condition, active[i], &chosen);
    }
    for (uint32_t i = 0; i < sweep->active.count; i++)
        choose_track(repeater, active[i], active[i], &chosen);

    for (uint32_t t = 1; t < repeater->tracks->tracks; t++) {
        bool useful = path_set_has(&chosen, t);
        uint32_t begin = repeater->begin[t], ended = repeater->sections[step];
        if (useful == (begin != GRAPH_NONE))
            continue;
        repeater->begin[t] = useful ? step : GRAPH_NONE;
        if (useful)
            continue;
        assert(begin < step);
        for (uint32_t i = repeater->sections[begin]; i < ended; i++)
            TRY(add_repeat(repeater, t, repeater->section[i]));
        if (!ended || repeater->section[ended - 1] < repeater->last_start[step - 1])
            TRY(add_repeat(repeater, t, step - 1));
    }
    repeater->open = chosen;
    return STATUS_OK;
}

/* A section ends where an interval ends, if some interval has started since the section before
   ended: more is live at once there than at the steps around it. */
static enum status find_sections(struct repeater *repeater)
{
    const struct path_liveness *paths = repeater->paths;
    struct scratch *scratch = &repeater->scratch;
    struct error *error = repeater->error;
    size_t room = (size_t)paths->steps + 1;
    uint32_t start = 0, sections = 0;
    bool started = true;
    uint8_t *marks;
    TRY(scratch_take(scratch, &repeater->sections, room, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &repeater->section, room, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &repeater->last_start, room, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &marks, room, sizeof *marks, error));
    for (uint32_t p = 0; p < paths->intervals; p++) {
        assert(paths->interval[p].lower < paths->interval[p].upper);
        marks[paths->interval[p].lower] |= STARTS;
        marks[paths->interval[p].upper - 1] |= ENDS;
    }
    for (uint32_t s = 0; s < paths->steps; s++) {
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
    repeater->sections[paths->steps] = sections;
    return STATUS_OK;
}

static enum status find_repeats(struct repeater *repeater, struct groups *repeats)
{
    uint32_t step, tracks = repeater->tracks->tracks;
    TRY(path_sweep_create(&repeater->sweep, repeater->paths, &repeater->scratch, repeater->error));
    TRY(scratch_take(&repeater->scratch, &repeater->begin, tracks, sizeof(uint32_t),
                     repeater->error));
    for (uint32_t t = 0; t < tracks; t++)
        repeater->begin[t] = GRAPH_NONE;
    TRY(find_sections(repeater));
    while ((step = path_sweep_next(&repeater->sweep)) != GRAPH_NONE) {
        uint32_t first_started = repeater->sweep.started;
        path_sweep_go(&repeater->sweep, step);
        TRY(turn_tracks(repeater, step, first_started));
    }
    assert(repeater->sweep.active.count == 0);

    TRY(groups_begin(repeats, tracks, repeater->error));
    for (uint32_t i = 0; i < repeater->repeats; i++)
        groups_count(repeats, repeater->repeat[i].track);
    TRY(groups_end_counting(repeats, repeater->error));
    for (uint32_t i = 0; i < repeater->repeats; i++)
        groups_add(repeats, repeater->repeat[i].track, repeater->repeat[i].step);
    assert(repeats->first[1] == 0);
    return STATUS_OK;
}

enum status repeated_steps_find(struct groups *repeats, const struct path_liveness *paths,
                                const struct path_tracks *tracks, struct error *error)
{
    struct repeater repeater = {.paths = paths, .tracks = tracks, .error = error};
    *repeats = (struct groups){0};
    enum status status = find_repeats(&repeater, repeats);
    memory_free(repeater.repeat);
    scratch_free(&repeater.scratch);
    return status;
}
