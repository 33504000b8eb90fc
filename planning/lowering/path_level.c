#include "planning/lowering/path_level.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/lowering/heaviest_path.h"
#include "planning/lowering/repeated_steps.h"
#include "planning/problem/segments.h"

/* A segment and its buffer. While they are being made, the segments of a buffer neither follow one
   another nor ascend. */
struct laid_segment {
    uint32_t buffer;
    struct problem_segment segment;
};

struct builder {
    const struct graph *graph;
    const struct liveness *liveness;
    const struct result_places *places; /* or NULL */
    uint64_t alignment_bytes;
    struct path_liveness *paths;
    struct path_tracks tracks;
    struct path_repeats repeats;
    struct path_heaviest heaviest;
    struct level *level;
    uint64_t *bytes;  /* [tensors] how much of its place each uses */
    uint32_t *buffer; /* [tensors] the buffer of its place, GRAPH_NONE without one */
    uint64_t *size;   /* [buffers] */
    uint32_t buffers;
    uint32_t *position;     /* [steps + 1] how many steps before each the current track repeats */
    uint32_t conflict_step; /* the first that nothing uses yet */
    struct laid_segment *laid; /* [laid_count] all segments so far */
    uint32_t laid_count;
    size_t laid_capacity;
    struct error *error;
};

/* The tensor in whose place it is: for most tensors itself. */
static uint32_t find_place(const struct builder *builder, uint32_t tensor)
{
    const uint32_t *root = builder->liveness->root;
    return root ? root[tensor] : tensor;
}

static void number_buffer(struct builder *builder, uint32_t tensor)
{
    uint32_t place = find_place(builder, tensor);
    if (builder->buffer[place] == GRAPH_NONE) {
        builder->level->tensor[builder->buffers] = place;
        builder->level->op[builder->buffers] = GRAPH_NONE;
        builder->buffer[place] = builder->buffers++;
    }
    uint32_t buffer = builder->buffer[tensor] = builder->buffer[place];
    if (builder->size[buffer] < builder->bytes[tensor])
        builder->size[buffer] = builder->bytes[tensor];
}

/* The graph's inputs get the first buffers, as they are there before the first step, even if no
   operator reads them. */
static void number_inputs(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (!graph->tensor[input].external)
            number_buffer(builder, input);
    }
}

/* Gives each place in which something is live a buffer, in the order of definition, as large as the
   largest tensor in it. */
static enum status number_buffers(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    TRY(memory_create(&builder->buffer, graph->tensors, sizeof *builder->buffer, builder->error));
    TRY(memory_create(&builder->size, graph->tensors, sizeof *builder->size, builder->error));
    TRY(memory_create(&builder->level->tensor, graph->tensors, sizeof(uint32_t), builder->error));
    TRY(memory_create(&builder->level->op, graph->tensors, sizeof(uint32_t), builder->error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->buffer[t] = GRAPH_NONE;
    number_inputs(builder);
    for (uint32_t p = 0; p < builder->paths->intervals; p++)
        number_buffer(builder, builder->paths->interval[p].tensor);
    return STATUS_OK;
}

struct steps {
    uint32_t lower, upper;
};

static enum status lay_bytes(struct builder *builder, uint32_t tensor, uint64_t bytes,
                             struct steps steps)
{
    assert(steps.lower < steps.upper && builder->buffer[tensor] < builder->buffers);
    TRY(memory_reserve(&builder->laid, &builder->laid_capacity, (size_t)builder->laid_count + 1,
                       sizeof *builder->laid, builder->error));
    builder->laid[builder->laid_count++] =
        (struct laid_segment){builder->buffer[tensor], {steps.lower, steps.upper, 0, bytes}};
    return STATUS_OK;
}

static enum status lay_segment(struct builder *builder, uint32_t tensor, uint32_t lower,
                               uint32_t upper)
{
    return lay_bytes(builder, tensor, builder->bytes[tensor], (struct steps){lower, upper});
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
            TRY(lay_segment(builder, interval->tensor, base + lower, base + upper));
    }
    return STATUS_OK;
}

/* Track 0 is the line itself and has all time steps. */
static enum status lay_line(struct builder *builder)
{
    for (uint32_t s = 0; s <= builder->paths->steps; s++)
        builder->position[s] = s;
    return lay_track(builder, 0, 0);
}

static void find_positions(struct builder *builder, uint32_t track)
{
    assert(track > 0);
    const struct path_repeats *repeats = &builder->repeats;
    uint32_t first = repeats->first[track], next = first;
    for (uint32_t s = 0; s <= builder->paths->steps; s++) {
        builder->position[s] = next - first;
        if (next < repeats->first[track + 1] && repeats->step[next] == s)
            next++;
    }
    assert(next == repeats->first[track + 1]);
}

/* The steps that the other tracks repeat follow the line as conflict steps. */
static enum status lay_repeated_steps(struct builder *builder)
{
    const uint32_t *first = builder->repeats.first;
    assert(first[1] == 0);
    builder->conflict_step = builder->paths->steps;
    for (uint32_t t = 1; t < builder->tracks.tracks; t++) {
        find_positions(builder, t);
        TRY(lay_track(builder, t, builder->conflict_step));
        builder->conflict_step += first[t + 1] - first[t];
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

/* Adds a conflict step for each set of tensors that clash, though no step has them live
   together. */
static enum status lay_clashes(struct builder *builder)
{
    const struct path_liveness *paths = builder->paths;
    uint32_t base = builder->conflict_step;
    for (uint32_t i = 0; i < paths->clashing; i++) {
        const struct path_clash *clash = &paths->clash[i];
        TRY(lay_bytes(builder, clash->tensor, clash->bytes,
                      (struct steps){base + clash->number, base + clash->number + 1}));
    }
    builder->conflict_step += paths->clashes;
    return STATUS_OK;
}

/* Adds one more conflict step where some path has more bytes live at once than the line, so that
   the load of the problem is that of the heaviest path. */
static enum status lay_heaviest_step(struct builder *builder)
{
    const struct path_heaviest *heaviest = &builder->heaviest;
    uint32_t step = builder->conflict_step;
    for (uint32_t i = 0; i < builder->paths->intervals && heaviest->step != GRAPH_NONE; i++) {
        const struct path_interval *interval = &builder->paths->interval[i];
        if (interval->lower <= heaviest->step && heaviest->step < interval->upper &&
            holds_in_heaviest(heaviest, interval->condition))
            TRY(lay_segment(builder, interval->tensor, step, step + 1));
    }
    return STATUS_OK;
}

static enum status add_buffer(struct builder *builder, uint32_t buffer,
                              struct problem_segment *segment, uint32_t count)
{
    struct level *level = builder->level;
    assert(count > 0 && builder->size[buffer] > 0);
    const struct problem_buffer added = {
        .name = names_get(&builder->graph->tensor_names, level->tensor[buffer]),
        .size = builder->size[buffer],
        .alignment = builder->alignment_bytes,
        .fixed_offset = PROBLEM_FREE,
        .hint = -1};
    TRY(problem_add_buffer(level->problem, &added, builder->error));
    return segments_add(level->problem, segment, count, builder->error);
}

/* Sorts the segments by buffer: those of buffer b become grouped[first[b]] .. grouped[first[b + 1]
   - 1]. first[buffers + 2] is all 0 before; in between, first[b + 1] says where the next segment of
   b goes. */
static void group_segments(const struct builder *builder, uint32_t *first,
                           struct problem_segment *grouped)
{
    for (uint32_t s = 0; s < builder->laid_count; s++)
        first[builder->laid[s].buffer + 2]++;
    for (uint32_t b = 0; b < builder->buffers; b++)
        first[b + 2] += first[b + 1];
    for (uint32_t s = 0; s < builder->laid_count; s++)
        grouped[first[builder->laid[s].buffer + 1]++] = builder->laid[s].segment;
    assert(first[builder->buffers] == builder->laid_count);
}

static enum status add_buffers(struct builder *builder)
{
    uint32_t *first = NULL;
    struct problem_segment *grouped = NULL;
    enum status status;
    TRY_OR_DONE(status,
                memory_create(&first, (size_t)builder->buffers + 2, sizeof *first, builder->error));
    TRY_OR_DONE(status,
                memory_create(&grouped, builder->laid_count, sizeof *grouped, builder->error));
    group_segments(builder, first, grouped);
    for (uint32_t b = 0; b < builder->buffers; b++)
        TRY_OR_DONE(status, add_buffer(builder, b, grouped + first[b], first[b + 1] - first[b]));
    status = problem_finish(builder->level->problem, builder->error);
done:
    memory_free(first);
    memory_free(grouped);
    return status;
}

static enum status size_tensors(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    TRY(memory_create(&builder->bytes, graph->tensors, sizeof *builder->bytes, builder->error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->bytes[t] = builder->places ? builder->places->bytes[t] : graph->tensor[t].bytes;
    return STATUS_OK;
}

static enum status create_empty_level(struct builder *builder)
{
    TRY(memory_create(&builder->level, 1, sizeof *builder->level, builder->error));
    builder->level->graph = builder->graph;
    builder->level->liveness = builder->liveness;
    TRY(problem_create(&builder->level->problem, graph_name(builder->graph), builder->error));
    builder->level->problem->line_end = builder->paths->steps;
    return STATUS_OK;
}

/* Finds out under which conditions everything is live, chooses the tracks, and then the time steps
   that each track has to repeat and the step at which the most bytes are live. */
static enum status find_paths(struct builder *builder)
{
    struct error *error = builder->error;
    TRY(path_liveness_create(builder->graph, builder->liveness, builder->places, &builder->paths,
                             error));
    TRY(path_tracks_create(&builder->tracks, builder->paths, error));
    TRY(path_repeats_create(&builder->repeats, builder->paths, &builder->tracks, error));
    return path_heaviest_create(&builder->heaviest, builder->paths, &builder->tracks,
                                builder->bytes, error);
}

static enum status lay_all(struct builder *builder)
{
    builder->level->is_cautious = builder->paths->is_cautious || builder->tracks.is_cautious;
    TRY(memory_create(&builder->position, (size_t)builder->paths->steps + 1,
                      sizeof *builder->position, builder->error));
    TRY(lay_line(builder));
    TRY(lay_repeated_steps(builder));
    TRY(lay_clashes(builder));
    return lay_heaviest_step(builder);
}

static enum status build_level(struct builder *builder)
{
    TRY(size_tensors(builder));
    TRY(find_paths(builder));
    TRY(create_empty_level(builder));
    TRY(number_buffers(builder));
    TRY(lay_all(builder));
    assert(builder->laid_count >= builder->buffers);
    return add_buffers(builder);
}

static void free_builder(struct builder *builder)
{
    path_liveness_free(builder->paths);
    path_tracks_free(&builder->tracks);
    path_repeats_free(&builder->repeats);
    path_heaviest_free(&builder->heaviest);
    memory_free(builder->bytes);
    memory_free(builder->buffer);
    memory_free(builder->size);
    memory_free(builder->position);
    memory_free(builder->laid);
}

enum status path_level_create(const struct level_source *source, const struct result_places *places,
                              struct level **level, struct error *error)
{
    struct builder builder = {.graph = source->graph,
                              .liveness = source->liveness,
                              .places = places,
                              .alignment_bytes = source->alignment_bytes,
                              .error = error};
    assert(source->alignment_bytes > 0);
    enum status status = build_level(&builder);
    free_builder(&builder);
    if (status)
        level_free(builder.level);
    else
        *level = builder.level;
    return status;
}
