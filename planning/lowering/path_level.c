#include "planning/lowering/path_level.h"

#include "core/memory.h"
#include "planning/lowering/heaviest_path.h"
#include "planning/lowering/repeated_steps.h"
#include "planning/problem/merge_segments.h"

struct builder {
    const struct graph *graph;
    const struct liveness *liveness;
    const struct homes *homes;
    struct path_liveness *paths;
    struct path_tracks tracks;
    struct path_copies copies;
    struct path_heaviest heaviest;
    struct level *level;
    uint64_t alignment_bytes;
    uint64_t *bytes;  /* [tensors] of its place that a tensor uses */
    uint32_t *buffer; /* [tensors] whose place it is in, GRAPH_NONE */
    uint64_t *size;   /* [buffers] */
    uint32_t buffers;
    uint32_t *position;      /* [steps + 1] of a step among those of the track at hand */
    struct segment *segment; /* [segments] */
    uint32_t *owner;         /* [segments] buffers */
    uint32_t segments;
    size_t segment_capacity, owner_capacity;
    struct error *error;
};

static uint32_t find_place(const struct builder *builder, uint32_t tensor)
{
    const uint32_t *root = builder->liveness->root;
    return root ? root[tensor] : tensor;
}

static enum status number_buffers(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    TRY(memory_create(&builder->buffer, graph->tensors, sizeof *builder->buffer, builder->error));
    TRY(memory_create(&builder->size, graph->tensors, sizeof *builder->size, builder->error));
    TRY(memory_create(&builder->level->tensor, graph->tensors, sizeof(uint32_t), builder->error));
    TRY(memory_create(&builder->level->op, graph->tensors, sizeof(uint32_t), builder->error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        builder->buffer[t] = GRAPH_NONE;
    for (uint32_t p = 0; p < builder->paths->pieces; p++) {
        uint32_t tensor = builder->paths->piece[p].tensor, place = find_place(builder, tensor);
        if (builder->buffer[place] == GRAPH_NONE) {
            builder->level->tensor[builder->buffers] = place;
            builder->level->op[builder->buffers] = GRAPH_NONE;
            builder->buffer[place] = builder->buffers++;
        }
        uint32_t buffer = builder->buffer[tensor] = builder->buffer[place];
        if (builder->size[buffer] < builder->bytes[tensor])
            builder->size[buffer] = builder->bytes[tensor];
    }
    return STATUS_OK;
}

static enum status add_segment(struct builder *builder, uint32_t tensor, uint32_t lower,
                               uint32_t upper)
{
    size_t needed = (size_t)builder->segments + 1;
    TRY(memory_reserve(&builder->segment, &builder->segment_capacity, needed,
                       sizeof *builder->segment, builder->error));
    TRY(memory_reserve(&builder->owner, &builder->owner_capacity, needed, sizeof *builder->owner,
                       builder->error));
    builder->owner[builder->segments] = builder->buffer[tensor];
    builder->segment[builder->segments++] = (struct segment){lower, upper, builder->bytes[tensor]};
    return STATUS_OK;
}

/* All that is live on the track, at the steps of the line that it repeats, from the step `base`
   on. */
static enum status add_track(struct builder *builder, uint32_t track, uint32_t base)
{
    for (uint32_t p = 0; p < builder->paths->pieces; p++) {
        const struct path_piece *piece = &builder->paths->piece[p];
        uint32_t lower = builder->position[piece->lower], upper = builder->position[piece->upper];
        if (lower < upper && path_set_has(&builder->tracks.condition[piece->condition], track))
            TRY(add_segment(builder, piece->tensor, base + lower, base + upper));
    }
    return STATUS_OK;
}

static void find_positions(struct builder *builder, uint32_t track)
{
    const struct path_copies *copies = &builder->copies;
    uint32_t first = copies->first[track], next = first;
    for (uint32_t s = 0; s <= builder->liveness->steps; s++) {
        builder->position[s] = next - first;
        if (next < copies->first[track + 1] && copies->step[next] == s)
            next++;
    }
}

static bool holds_in_heaviest(const struct path_heaviest *heaviest, uint32_t condition)
{
    for (uint32_t i = 0; i < heaviest->conditions; i++)
        if (heaviest->condition[i] == condition)
            return true;
    return condition == PATH_ALWAYS;
}

/* So that the load is that of the heaviest path. */
static enum status add_heaviest(struct builder *builder, uint32_t base)
{
    const struct path_heaviest *heaviest = &builder->heaviest;
    for (uint32_t p = 0; p < builder->paths->pieces && heaviest->step != GRAPH_NONE; p++) {
        const struct path_piece *piece = &builder->paths->piece[p];
        if (piece->lower <= heaviest->step && heaviest->step < piece->upper &&
            holds_in_heaviest(heaviest, piece->condition))
            TRY(add_segment(builder, piece->tensor, base, base + 1));
    }
    return STATUS_OK;
}

static enum status add_tracks(struct builder *builder)
{
    uint32_t base = builder->liveness->steps;
    for (uint32_t s = 0; s <= base; s++)
        builder->position[s] = s;
    TRY(add_track(builder, 0, 0));
    for (uint32_t t = 1; t < builder->tracks.tracks; t++) {
        find_positions(builder, t);
        TRY(add_track(builder, t, base));
        base += builder->copies.first[t + 1] - builder->copies.first[t];
    }
    return add_heaviest(builder, base);
}

static enum status add_buffer(struct builder *builder, uint32_t buffer, struct segment *segment,
                              uint32_t count)
{
    struct level *level = builder->level;
    const struct problem_buffer added = {
        .name = names_get(&builder->graph->tensor_names, level->tensor[buffer]),
        .size = builder->size[buffer],
        .alignment = builder->alignment_bytes,
        .fixed_offset = PROBLEM_FREE,
        .hint = -1};
    TRY(problem_add_buffer(level->problem, &added, builder->error));
    return segments_add(level->problem, segment, count, builder->error);
}

static void group_segments(const struct builder *builder, uint32_t *first, struct segment *grouped)
{
    for (uint32_t s = 0; s < builder->segments; s++)
        first[builder->owner[s] + 2]++;
    for (uint32_t b = 0; b < builder->buffers; b++)
        first[b + 2] += first[b + 1];
    for (uint32_t s = 0; s < builder->segments; s++)
        grouped[first[builder->owner[s] + 1]++] = builder->segment[s];
}

static enum status add_buffers(struct builder *builder)
{
    uint32_t *first = NULL;
    struct segment *grouped = NULL;
    enum status status;
    TRY_OR_DONE(status,
                memory_create(&first, (size_t)builder->buffers + 2, sizeof *first, builder->error));
    TRY_OR_DONE(status,
                memory_create(&grouped, builder->segments, sizeof *grouped, builder->error));
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
        builder->bytes[t] = builder->homes ? builder->homes->bytes[t] : graph->tensor[t].bytes;
    return STATUS_OK;
}

static enum status create_empty_level(struct builder *builder)
{
    TRY(memory_create(&builder->level, 1, sizeof *builder->level, builder->error));
    builder->level->graph = builder->graph;
    builder->level->liveness = builder->liveness;
    TRY(problem_create(&builder->level->problem, graph_name(builder->graph), builder->error));
    builder->level->problem->line_end = builder->liveness->steps;
    return STATUS_OK;
}

static enum status build_level(struct builder *builder)
{
    uint32_t steps = builder->liveness->steps;
    TRY(create_empty_level(builder));
    TRY(size_tensors(builder));
    TRY(path_liveness_create(builder->graph, builder->liveness, builder->homes, &builder->paths,
                             builder->error));
    TRY(path_tracks_create(&builder->tracks, builder->graph, builder->paths, builder->error));
    TRY(path_copies_create(&builder->copies, steps, builder->paths, &builder->tracks,
                           builder->error));
    TRY(path_heaviest_create(&builder->heaviest, builder->graph, steps, builder->paths,
                             &builder->tracks, builder->bytes, builder->error));
    TRY(number_buffers(builder));
    TRY(memory_create(&builder->position, (size_t)steps + 1, sizeof *builder->position,
                      builder->error));
    TRY(add_tracks(builder));
    return add_buffers(builder);
}

static void free_builder(struct builder *builder)
{
    path_liveness_free(builder->paths);
    path_tracks_free(&builder->tracks);
    path_copies_free(&builder->copies);
    path_heaviest_free(&builder->heaviest);
    memory_free(builder->bytes);
    memory_free(builder->buffer);
    memory_free(builder->size);
    memory_free(builder->position);
    memory_free(builder->segment);
    memory_free(builder->owner);
}

enum status path_level_create(const struct graph *graph, const struct liveness *liveness,
                              const struct homes *homes, uint64_t alignment_bytes,
                              struct level **level, struct error *error)
{
    struct builder builder = {.graph = graph,
                              .liveness = liveness,
                              .homes = homes,
                              .alignment_bytes = alignment_bytes,
                              .error = error};
    enum status status = build_level(&builder);
    free_builder(&builder);
    if (status)
        level_free(builder.level);
    else
        *level = builder.level;
    return status;
}
