#include "planning/lowering/path_level.h"

#include <assert.h>

#include "core/groups.h"
#include "core/memory.h"
#include "planning/lowering/condition_sweep.h"
#include "planning/lowering/heaviest_path.h"
#include "planning/lowering/tracks.h"
#include "planning/problem/segments.h"

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
    TRY(scratch_take_all(scratch, room, error, &repeater->sections, &repeater->section,
                         &repeater->last_start, &marks));
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

/* Finds the time steps of each track that have to be repeated behind the end of the line. Track 0
   is the line itself. Another track is repeated from a step at which something becomes live under a
   condition that does not hold on the line until the active conditions change, so that it conflicts
   with all else that is live on the track. Of these steps only those that end a section are
   repeated.

       step       4    5    6    7    8    9    10
       track 0    t    t    t    s    s    s    s      t, u where the one or the other branch of an
       track 1    u    u    u    v    v    v    v      If was taken, s, v of the next
       repeated          5    6               9        sections end at 5, 6 and 9

   *repeats: a list for each track, ascending; that of track 0 is empty. The caller frees it, also
   where this fails. O(intervals * (tracks + conditions live at once) + steps). */
static enum status repeated_steps_find(struct groups *repeats, const struct path_liveness *paths,
                                       const struct path_tracks *tracks, struct error *error)
{
    struct repeater repeater = {.paths = paths, .tracks = tracks, .error = error};
    *repeats = (struct groups){0};
    enum status status = find_repeats(&repeater, repeats);
    memory_free(repeater.repeat);
    scratch_free(&repeater.scratch);
    return status;
}

/* A segment and its buffer. While they are being made, the segments of a buffer neither follow one
   another nor ascend. */
struct laid_segment {
    uint32_t buffer;
    struct problem_segment segment;
};

struct builder {
    struct level_maker maker;
    const struct graph *graph;
    const struct liveness *liveness;
    const struct result_places *places; /* or NULL */
    struct path_liveness *paths;
    struct path_tracks tracks;
    struct groups repeats; /* [tracks] steps */
    struct path_heaviest heaviest;
    uint64_t *bytes;  /* [tensors] how much of its place each uses */
    uint32_t *buffer; /* [tensors] the buffer of its place, GRAPH_NONE without one */
    uint32_t *place;  /* [buffers] the tensor whose place it is */
    uint64_t *size;   /* [buffers] */
    uint32_t buffers;
    uint32_t *position;     /* [steps + 1] how many steps before each the current track repeats */
    uint32_t conflict_step; /* the first that nothing uses yet */
    struct laid_segment *laid; /* [laid_count] all segments so far */
    uint32_t laid_count;
    size_t laid_capacity;
    struct scratch scratch;
    struct error *error;
};

static void number_buffer(struct builder *builder, uint32_t tensor)
{
    const uint32_t *root = builder->liveness->root;
    uint32_t place = root ? root[tensor] : tensor;
    assert(place < builder->graph->tensors);
    if (builder->buffer[place] == GRAPH_NONE) {
        builder->place[builder->buffers] = place;
        builder->buffer[place] = builder->buffers++;
    }
    uint32_t buffer = builder->buffer[tensor] = builder->buffer[place];
    if (builder->size[buffer] < builder->bytes[tensor])
        builder->size[buffer] = builder->bytes[tensor];
}

/* Gives each place in which something is live a buffer, in the order of definition, as large as the
   largest tensor in it. The graph's inputs get the first ones, as they are there before the first
   step, even if no operator reads them. */
static enum status number_buffers(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    struct scratch *scratch = &builder->scratch;
    TRY(scratch_take_all(scratch, graph->tensors, builder->error, &builder->buffer, &builder->place,
                         &builder->size));
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->buffer[t] = GRAPH_NONE;
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (!graph->tensor[input].external)
            number_buffer(builder, input);
    }
    for (uint32_t p = 0; p < builder->paths->intervals; p++)
        number_buffer(builder, builder->paths->interval[p].tensor);
    return STATUS_OK;
}

static enum status lay_bytes(struct builder *builder, uint32_t tensor, uint64_t bytes,
                             uint32_t lower, uint32_t upper)
{
    assert(lower < upper && builder->buffer[tensor] < builder->buffers);
    TRY(memory_reserve(&builder->laid, &builder->laid_capacity, (size_t)builder->laid_count + 1,
                       sizeof *builder->laid, builder->error));
    builder->laid[builder->laid_count++] =
        (struct laid_segment){builder->buffer[tensor], {lower, upper, 0, bytes}};
    return STATUS_OK;
}

/* Adds segments for all that is live on the track at the time steps that the track repeats: the
   first of these becomes the step `base`, and the others follow. An interval that holds none of
   these steps gets no segment. */
static enum status lay_track(struct builder *builder, uint32_t track, uint32_t base)
{
    assert(track < builder->tracks.tracks);
    for (uint32_t i = 0; i < builder->paths->intervals; i++) {
        const struct path_interval *interval = &builder->paths->interval[i];
        assert(interval->lower < interval->upper && interval->upper <= builder->paths->steps);
        uint32_t lower = builder->position[interval->lower];
        uint32_t upper = builder->position[interval->upper];
        if (lower < upper && path_set_has(&builder->tracks.condition[interval->condition], track))
            TRY(lay_bytes(builder, interval->tensor, builder->bytes[interval->tensor], base + lower,
                          base + upper));
    }
    return STATUS_OK;
}

/* Track 0 is the line itself and has all time steps. The steps that the other tracks repeat follow
   it as conflict steps. */
static enum status lay_tracks(struct builder *builder)
{
    const struct groups *repeats = &builder->repeats;
    uint32_t steps = builder->paths->steps;
    assert(repeats->lists == builder->tracks.tracks && repeats->first[1] == 0);
    TRY(scratch_take(&builder->scratch, &builder->position, (size_t)steps + 1,
                     sizeof *builder->position, builder->error));
    for (uint32_t s = 0; s <= steps; s++)
        builder->position[s] = s;
    TRY(lay_track(builder, 0, 0));
    builder->conflict_step = steps;
    for (uint32_t t = 1; t < builder->tracks.tracks; t++) {
        uint64_t first = repeats->first[t], next = first, end = repeats->first[t + 1];
        for (uint32_t s = 0; s <= steps; s++) {
            builder->position[s] = (uint32_t)(next - first);
            assert(next >= end || repeats->item[next] >= s);
            if (next < end && repeats->item[next] == s)
                next++;
        }
        assert(next == end);
        TRY(lay_track(builder, t, builder->conflict_step));
        builder->conflict_step += (uint32_t)(end - first);
    }
    return STATUS_OK;
}

static bool holds_in_heaviest(const struct path_heaviest *heaviest, uint32_t condition)
{
    for (uint32_t i = 0; i < heaviest->conditions; i++)
        if (heaviest->condition[i] == condition)
            return true;
    return condition == PATH_ALWAYS;
}

/* Adds a conflict step for each set of tensors that clash, though no step has them live together;
   and one more where some path has more bytes live at once than the line, so that the load of the
   problem is that of the heaviest path. */
static enum status lay_clashes(struct builder *builder)
{
    const struct path_liveness *paths = builder->paths;
    const struct path_heaviest *heaviest = &builder->heaviest;
    for (uint32_t i = 0; i < paths->clashing; i++) {
        const struct path_clash *clash = &paths->clash[i];
        uint32_t step = builder->conflict_step + clash->number;
        assert(clash->number < paths->clashes);
        TRY(lay_bytes(builder, clash->tensor, clash->bytes, step, step + 1));
    }
    builder->conflict_step += paths->clashes;
    assert(builder->conflict_step >= paths->steps);
    for (uint32_t i = 0; i < paths->intervals && heaviest->step != GRAPH_NONE; i++) {
        const struct path_interval *interval = &paths->interval[i];
        if (interval->lower <= heaviest->step && heaviest->step < interval->upper &&
            holds_in_heaviest(heaviest, interval->condition))
            TRY(lay_bytes(builder, interval->tensor, builder->bytes[interval->tensor],
                          builder->conflict_step, builder->conflict_step + 1));
    }
    return STATUS_OK;
}

/* Adds each buffer with its segments, grouped by buffer. */
static enum status add_buffers(struct builder *builder)
{
    struct problem_segment *grouped;
    uint32_t *end;
    TRY(scratch_take(&builder->scratch, &end, (size_t)builder->buffers + 2, sizeof *end,
                     builder->error));
    TRY(scratch_take(&builder->scratch, &grouped, builder->laid_count, sizeof *grouped,
                     builder->error));
    for (uint32_t s = 0; s < builder->laid_count; s++)
        end[builder->laid[s].buffer + 2]++;
    for (uint32_t b = 0; b < builder->buffers; b++)
        end[b + 2] += end[b + 1];
    for (uint32_t s = 0; s < builder->laid_count; s++)
        grouped[end[builder->laid[s].buffer + 1]++] = builder->laid[s].segment;
    assert(end[builder->buffers] == builder->laid_count);
    for (uint32_t b = 0; b < builder->buffers; b++) {
        assert(end[b] < end[b + 1] && builder->size[b] > 0);
        TRY(level_add_buffer(&builder->maker, builder->place[b], GRAPH_NONE, builder->size[b]));
        TRY(segments_add(builder->maker.level->problem, grouped + end[b], end[b + 1] - end[b],
                         builder->error));
    }
    return STATUS_OK;
}

static enum status build_level(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    struct error *error = builder->error;
    TRY(scratch_take(&builder->scratch, &builder->bytes, graph->tensors, sizeof(uint64_t), error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->bytes[t] = builder->places ? builder->places->bytes[t] : graph->tensor[t].bytes;
    TRY(path_liveness_create(graph, builder->liveness, builder->places, &builder->paths, error));
    TRY(path_tracks_create(&builder->tracks, builder->paths, &builder->scratch, error));
    TRY(repeated_steps_find(&builder->repeats, builder->paths, &builder->tracks, error));
    TRY(path_heaviest_find(&builder->heaviest, builder->paths, &builder->tracks, builder->bytes,
                           error));
    TRY(level_begin(&builder->maker, graph_name(graph)));
    builder->maker.level->problem->line_end = builder->paths->steps;
    builder->maker.level->is_cautious = builder->paths->is_cautious || builder->tracks.is_cautious;
    TRY(number_buffers(builder));
    TRY(lay_tracks(builder));
    TRY(lay_clashes(builder));
    assert(builder->laid_count >= builder->buffers);
    return add_buffers(builder);
}

enum status path_level_create(const struct level_source *source, const struct result_places *places,
                              struct level **level, struct error *error)
{
    struct builder builder = {.maker = {.source = source, .error = error},
                              .graph = source->graph,
                              .liveness = source->liveness,
                              .places = places,
                              .error = error};
    enum status status = level_end(&builder.maker, build_level(&builder), level);
    path_liveness_free(builder.paths);
    groups_free(&builder.repeats);
    memory_free(builder.laid);
    scratch_free(&builder.scratch);
    return status;
}
