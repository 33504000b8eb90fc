#include "planning/path_copies.h"

#include "core/memory.h"

/* Above so many live conditions nobody looks for tracks that another one makes needless. */
enum { MOST_COMPARED = 64 };

enum { STARTS = 1, ENDS = 2 };

struct copy {
    uint32_t track, step;
};

struct copier {
    const struct path_liveness *paths;
    const struct path_tracks *tracks;
    struct path_sweep sweep;
    uint32_t steps;
    uint32_t *sections;   /* [steps + 1] sections that end before the step */
    uint32_t *section;    /* [sections[steps]] steps at which they end */
    uint32_t *last_start; /* [steps] the last step up to here at which something starts */
    uint32_t *begin;      /* [tracks] of the stretch that is open, GRAPH_NONE */
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

static uint32_t count_on(const struct copier *copier, uint32_t track)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < copier->sweep.actives; i++)
        count += path_track_has(&copier->tracks->condition[copier->sweep.active[i]], track);
    return count;
}

static bool holds_all_of(const struct copier *copier, uint32_t track, uint32_t other)
{
    for (uint32_t i = 0; i < copier->sweep.actives; i++) {
        const struct path_track_set *set = &copier->tracks->condition[copier->sweep.active[i]];
        if (path_track_has(set, other) && !path_track_has(set, track))
            return false;
    }
    return true;
}

/* Nothing is live together on the track that is not on another one as well; of equals the first is
   needed. */
static bool is_needless(const struct copier *copier, uint32_t track)
{
    if (!count_on(copier, track))
        return true;
    for (uint32_t t = 0; t < copier->tracks->tracks; t++)
        if (t != track && holds_all_of(copier, t, track) &&
            (t < track || count_on(copier, t) > count_on(copier, track)))
            return true;
    return false;
}

/* From the step on, other conditions are live than before. */
static enum status turn_tracks(struct copier *copier, uint32_t step)
{
    bool many = copier->sweep.actives > MOST_COMPARED;
    for (uint32_t t = 1; t < copier->tracks->tracks; t++) {
        bool useful = copier->sweep.actives && (many || !is_needless(copier, t));
        if (useful && copier->begin[t] == GRAPH_NONE)
            copier->begin[t] = step;
        else if (!useful && copier->begin[t] != GRAPH_NONE)
            TRY(copy_stretch(copier, t, step));
    }
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
        path_sweep_go(&copier->sweep, step);
        TRY(turn_tracks(copier, step));
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
