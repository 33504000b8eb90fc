#include "planning/lowering/repeated_steps.h"

#include "core/memory.h"

enum { STARTS = 1, ENDS = 2 };

struct copy {
    uint32_t track, step;
};

struct copier {
    const struct path_liveness *paths;
    const struct path_tracks *tracks;
    struct path_sweep sweep;
    uint32_t steps;
    uint32_t *sections;         /* [steps + 1] sections that end before the step */
    uint32_t *section;          /* [sections[steps]] steps at which they end */
    uint32_t *last_start;       /* [steps] the last step up to here at which something starts */
    uint32_t *begin;            /* [tracks] of the stretch that is open, GRAPH_NONE */
    struct path_track_set open; /* tracks that have one */
    struct copy *copy;
    uint32_t copies;
    size_t copy_capacity;
    struct error *error;
};

static enum status mark_steps(const struct copier *copier, uint8_t **marks)
{
    TRY(memory_create(marks, (size_t)copier->steps + 1, sizeof **marks, copier->error));
    for (uint32_t p = 0; p < copier->paths->pieces; p++) {
        (*marks)[copier->paths->piece[p].lower] |= STARTS;
        (*marks)[copier->paths->piece[p].upper - 1] |= ENDS;
    }
    return STATUS_OK;
}

/* A section ends where something does and anything has started since the last one. */
static enum status find_sections(struct copier *copier)
{
    uint8_t *marks;
    uint32_t start = 0, sections = 0;
    bool started = true;
    TRY(mark_steps(copier, &marks));
    for (uint32_t s = 0; s < copier->steps; s++) {
        if (marks[s] & STARTS) {
            start = s;
            started = true;
        }
        copier->last_start[s] = start;
        copier->sections[s] = sections;
        if (started && marks[s] & ENDS) {
            copier->section[sections++] = s;
            started = false;
        }
    }
    copier->sections[copier->steps] = sections;
    memory_free(marks);
    return STATUS_OK;
}

static enum status add_copy(struct copier *copier, uint32_t track, uint32_t step)
{
    TRY(memory_reserve(&copier->copy, &copier->copy_capacity, (size_t)copier->copies + 1,
                       sizeof *copier->copy, copier->error));
    copier->copy[copier->copies++] = (struct copy){track, step};
    return STATUS_OK;
}

static enum status copy_stretch(struct copier *copier, uint32_t track, uint32_t end)
{
    uint32_t ended = copier->sections[end], last = end - 1;
    for (uint32_t i = copier->sections[copier->begin[track]]; i < ended; i++)
        TRY(add_copy(copier, track, copier->section[i]));
    copier->begin[track] = GRAPH_NONE;
    if (ended && copier->section[ended - 1] >= copier->last_start[last])
        return STATUS_OK;
    return add_copy(copier, track, last);
}

static uint32_t find_first(const struct path_track_set *set)
{
    uint32_t track = 0;
    while (!path_set_has(set, track))
        track++;
    return track;
}

/* Chooses a track on which both conditions hold, where none is chosen: rather one that is being
   repeated already. */
static void choose_track(const struct copier *copier, uint32_t a, uint32_t b,
                         struct path_track_set *chosen)
{
    struct path_track_set both = copier->tracks->condition[a];
    path_set_intersect(&both, &copier->tracks->condition[b]);
    struct path_track_set open = both;
    path_set_intersect(&open, &copier->open);
    if (!path_set_meet(&both, &both) || path_set_meet(&both, chosen))
        return;
    path_set_add(chosen, find_first(path_set_meet(&open, &open) ? &open : &both));
}

/* Each piece that starts has to meet all others there are, and each condition has to be on the line
   or some copy at any step. */
static struct path_track_set choose_tracks(const struct copier *copier, uint32_t first_started)
{
    const struct path_sweep *sweep = &copier->sweep;
    struct path_track_set chosen = {{0}};
    path_set_add(&chosen, 0);
    for (uint32_t s = first_started; s < sweep->started; s++) {
        uint32_t condition = copier->paths->piece[sweep->by_lower[s]].condition;
        for (uint32_t i = 0; i < sweep->active_count; i++)
            choose_track(copier, condition, sweep->active[i], &chosen);
    }
    for (uint32_t i = 0; i < sweep->active_count; i++)
        choose_track(copier, sweep->active[i], sweep->active[i], &chosen);
    return chosen;
}

/* From the step on, other conditions are live than before. */
static enum status turn_tracks(struct copier *copier, uint32_t step, uint32_t first_started)
{
    struct path_track_set chosen = choose_tracks(copier, first_started);
    for (uint32_t t = 1; t < copier->tracks->tracks; t++) {
        bool useful = path_set_has(&chosen, t);
        if (useful && copier->begin[t] == GRAPH_NONE)
            copier->begin[t] = step;
        else if (!useful && copier->begin[t] != GRAPH_NONE)
            TRY(copy_stretch(copier, t, step));
    }
    copier->open = chosen;
    return STATUS_OK;
}

static enum status create_copier(struct copier *copier)
{
    size_t steps = (size_t)copier->steps + 1;
    TRY(path_sweep_create(&copier->sweep, copier->paths, copier->error));
    TRY(memory_create(&copier->sections, steps, sizeof(uint32_t), copier->error));
    TRY(memory_create(&copier->section, steps, sizeof(uint32_t), copier->error));
    TRY(memory_create(&copier->last_start, steps, sizeof(uint32_t), copier->error));
    TRY(memory_create(&copier->begin, copier->tracks->tracks, sizeof(uint32_t), copier->error));
    for (uint32_t t = 0; t < copier->tracks->tracks; t++)
        copier->begin[t] = GRAPH_NONE;
    return find_sections(copier);
}

static void free_copier(struct copier *copier)
{
    path_sweep_free(&copier->sweep);
    memory_free(copier->sections);
    memory_free(copier->section);
    memory_free(copier->last_start);
    memory_free(copier->begin);
    memory_free(copier->copy);
}

static enum status find_copies(struct copier *copier)
{
    uint32_t step;
    TRY(create_copier(copier));
    while ((step = path_sweep_next(&copier->sweep)) != GRAPH_NONE) {
        uint32_t first_started = copier->sweep.started;
        path_sweep_go(&copier->sweep, step);
        TRY(turn_tracks(copier, step, first_started));
    }
    return STATUS_OK;
}

static enum status group_copies(const struct copier *copier, struct path_copies *copies)
{
    uint32_t tracks = copier->tracks->tracks;
    TRY(memory_create(&copies->first, (size_t)tracks + 2, sizeof *copies->first, copier->error));
    TRY(memory_create(&copies->step, copier->copies, sizeof *copies->step, copier->error));
    for (uint32_t c = 0; c < copier->copies; c++)
        copies->first[copier->copy[c].track + 2]++;
    for (uint32_t t = 0; t < tracks; t++)
        copies->first[t + 2] += copies->first[t + 1];
    for (uint32_t c = 0; c < copier->copies; c++)
        copies->step[copies->first[copier->copy[c].track + 1]++] = copier->copy[c].step;
    return STATUS_OK;
}

enum status path_copies_create(struct path_copies *copies, uint32_t steps,
                               const struct path_liveness *paths, const struct path_tracks *tracks,
                               struct error *error)
{
    struct copier copier = {.paths = paths, .tracks = tracks, .steps = steps, .error = error};
    *copies = (struct path_copies){0};
    enum status status = find_copies(&copier);
    if (!status)
        status = group_copies(&copier, copies);
    free_copier(&copier);
    return status;
}

void path_copies_free(struct path_copies *copies)
{
    memory_free(copies->first);
    memory_free(copies->step);
    *copies = (struct path_copies){0};
}
