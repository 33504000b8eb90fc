#include "planning/lowering/stream_level.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/graph/ways.h"
#include "planning/liveness/stream_lifetimes.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/explicit_conflicts.h"

/* A tensor on the ways on which its value has `bytes` bytes: on some ways the result of an If may
   have fewer bytes than its place. While pairs are marked, the problem has a buffer for each of
   these sizes. */
struct sized {
    uint32_t tensor;
    uint32_t next; /* smaller one of the same tensor, or SIZED_NONE */
    uint64_t bytes;
};
#define SIZED_NONE UINT32_MAX

struct builder {
    struct level_maker maker;
    const struct graph *graph;
    uint64_t *place_bytes; /* [tensors] */
    uint64_t *way_bytes;   /* [tensors] on the way at hand */
    uint32_t *largest;     /* [tensors] the one of its whole place */
    struct sized *sized;   /* [sizes] first those of whole places, one for each buffer */
    uint32_t sizes;
    size_t sized_capacity;
    const struct stream_level_source *source;
    struct stream_lifetimes *lifetimes; /* of all ways; NULL where there are branches or loops */
    uint32_t *clock;                    /* [2 * streams] room for a start and an end */
    uint64_t *conflict; /* a bit for each pair of sizes, the later one's row after the other's */
    struct scratch scratch;
    struct error *error;
};

static enum status add_tensor(struct builder *builder, uint32_t tensor)
{
    const struct stream_lifetimes *lifetimes = builder->lifetimes;
    if (builder->graph->tensor[tensor].external)
        return STATUS_OK;
    TRY(level_add_buffer(&builder->maker, tensor, GRAPH_NONE, builder->place_bytes[tensor]));
    if (!lifetimes)
        return STATUS_OK;
    /* The components of clocks are one more than those of the lifetimes, so that an input of the
       graph that nobody reads is over before anything else begins. */
    const struct happens_before *order = lifetimes->order;
    uint32_t streams = order->streams, born = lifetimes->born_step[tensor];
    assert(born == STREAM_FROM_START || born < order->steps);
    uint32_t *start = builder->clock, *end = start + streams;
    for (uint32_t s = 0; s < streams; s++) {
        uint32_t last = lifetimes->end[(size_t)tensor * streams + s];
        start[s] = born == STREAM_FROM_START ? 0 : order->clock[(size_t)born * streams + s] + 1;
        end[s] = last == UINT32_MAX ? order->steps + 2 : last + 1;
        end[s] = end[s] < start[s] ? start[s] : end[s];
    }
    return problem_add_clock(builder->maker.level->problem, (struct clock){streams, start, end},
                             builder->error);
}

/* Adds the buffer of a size to a problem. */
static enum status add_sized(const struct builder *builder, struct problem *problem,
                             const struct sized *sized)
{
    return level_add_bytes(&builder->maker, problem,
                           names_get(&builder->graph->tensor_names, sized->tensor), sized->bytes);
}

/* A carried result of a loop has no buffer of its own: it is where the argument is. */
static enum status add_buffers(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        TRY(add_tensor(builder, graph->list[graph->inputs.first + i]));
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span carried = graph->op[o].carried, outputs = graph->op[o].outputs;
        for (uint32_t i = 0; i < carried.count; i++)
            TRY(add_tensor(builder, graph->carried[carried.first + i].argument));
        for (uint32_t i = 0; i < outputs.count; i++)
            if (!graph_find_carried_result(graph, o, graph->list[outputs.first + i]))
                TRY(add_tensor(builder, graph->list[outputs.first + i]));
    }
    return STATUS_OK;
}

/* Where streams have pools, each tensor is in the pool of the stream that writes it first; tensors
   that are there from the start are in the pool of the first stream. */
static bool conflict(const struct builder *builder, const struct stream_lifetimes *lifetimes,
                     uint32_t a, uint32_t b)
{
    const uint32_t *stream = lifetimes->order->step_stream, *born = lifetimes->born_step;
    const struct liveness *line = builder->source->line;
    uint32_t pool_a = born[a] == STREAM_FROM_START ? 0 : stream[born[a]];
    assert(a != b && a < builder->graph->tensors && b < builder->graph->tensors);
    uint32_t pool_b = born[b] == STREAM_FROM_START ? 0 : stream[born[b]];
    if (builder->source->pool_per_stream && pool_a != pool_b)
        return true;
    if (line && (line->upper[a] <= line->lower[b] || line->upper[b] <= line->lower[a]))
        return false;
    return stream_lifetimes_conflict(lifetimes, builder->graph, a, b);
}

static size_t count_pairs(uint32_t buffers)
{
    return (size_t)buffers * (buffers - (buffers > 0)) / 2;
}

/* Whether the tensor is there on the way at hand, with that number of bytes. */
static bool is_there(const struct builder *builder, const struct stream_lifetimes *lifetimes,
                     const struct sized *sized)
{
    return lifetimes->place[sized->tensor] == sized->tensor &&
           builder->way_bytes[sized->tensor] == sized->bytes;
}

static enum status mark_way(void *context, const uint32_t *way)
{
    const struct builder *builder = context;
    const struct sized *sized = builder->sized;
    SCOPED(stream_lifetimes_release) struct stream_lifetimes *lifetimes = NULL;
    size_t pair = 0;
    TRY(stream_lifetimes_create(builder->graph, way, &lifetimes, builder->error));
    value_bytes_find(builder->graph, way, builder->way_bytes);
    for (uint32_t b = 1; b < builder->sizes; b++) {
        if (!is_there(builder, lifetimes, &sized[b])) {
            pair += b;
            continue;
        }
        for (uint32_t a = 0; a < b; a++, pair++)
            if (is_there(builder, lifetimes, &sized[a]) && sized[a].tensor != sized[b].tensor &&
                conflict(builder, lifetimes, sized[a].tensor, sized[b].tensor))
                builder->conflict[pair / 64] |= UINT64_C(1) << pair % 64;
    }
    assert(pair == count_pairs(builder->sizes));
    return STATUS_OK;
}

static enum status add_size(struct builder *builder, uint32_t tensor, uint64_t bytes)
{
    TRY(memory_reserve(&builder->sized, &builder->sized_capacity, (size_t)builder->sizes + 1,
                       sizeof *builder->sized, builder->error));
    assert(builder->sizes < SIZED_NONE);
    builder->sized[builder->sizes++] = (struct sized){tensor, SIZED_NONE, bytes};
    return STATUS_OK;
}

/* Adds the sizes that results of Ifs have on this way, where they have other ones than so far. */
static enum status find_sizes(void *context, const uint32_t *way)
{
    struct builder *builder = context;
    value_bytes_find(builder->graph, way, builder->way_bytes);
    for (uint32_t b = 0; b < builder->maker.level->problem->buffers; b++) {
        uint32_t tensor = builder->maker.level->tensor[b], last = b;
        uint64_t bytes = builder->way_bytes[tensor];
        assert(builder->sized[b].tensor == tensor);
        while (builder->sized[last].bytes != bytes && builder->sized[last].next != SIZED_NONE)
            last = builder->sized[last].next;
        if (builder->sized[last].bytes == bytes)
            continue;
        builder->sized[last].next = builder->sizes;
        TRY(add_size(builder, tensor, bytes));
    }
    return STATUS_OK;
}

static enum status mark_all(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    struct level *level = builder->maker.level;
    const struct graph_way_visitor marker = {mark_way, builder}, finder = {find_sizes, builder};
    uint32_t buffers = level->problem->buffers;
    bool varies;
    /* As many ways are looked at one by one as take about a second, since looking at a pair of
       buffers takes some nanoseconds for each stream. */
    enum { MOST_WAYS = 65536, MOST_LOOKS = 200000000 };
    size_t ways = MOST_LOOKS / ((count_pairs(buffers) + 1) * graph->streams.count);
    uint32_t most_ways = ways > MOST_WAYS                ? MOST_WAYS
                         : ways > STREAM_LEVEL_MOST_WAYS ? (uint32_t)ways
                                                         : STREAM_LEVEL_MOST_WAYS;
    assert(most_ways > 0 && most_ways < UINT32_MAX);
    level->is_cautious = graph_count_ways(graph, most_ways) > most_ways;
    TRY(scratch_take(&builder->scratch, &builder->way_bytes, graph->tensors, sizeof(uint64_t),
                     builder->error));
    for (uint32_t b = 0; b < buffers; b++)
        TRY(add_size(builder, level->tensor[b], builder->place_bytes[level->tensor[b]]));
    TRY(value_bytes_any_varies(graph, &varies, builder->error));
    if (varies && !level->is_cautious)
        TRY(graph_visit_ways(graph, most_ways, &finder, builder->error));
    assert(builder->sizes >= buffers);
    TRY(scratch_take(&builder->scratch, &builder->conflict, count_pairs(builder->sizes) / 64 + 1,
                     sizeof *builder->conflict, builder->error));
    return level->is_cautious ? mark_way(builder, NULL)
                              : graph_visit_ways(graph, most_ways, &marker, builder->error);
}

static bool is_marked(const struct builder *builder, uint32_t a, uint32_t b)
{
    size_t later = a > b ? a : b, pair = count_pairs((uint32_t)later) + (a > b ? b : a);
    assert(a != b && later < builder->sizes);
    return builder->conflict[pair / 64] >> pair % 64 & 1;
}

/* Whether two sizes of the same tensors, neither smaller than these, conflict as well, which says
   more. */
static bool is_implied(const struct builder *builder, uint32_t a, uint32_t b)
{
    const struct sized *sized = builder->sized;
    assert(sized[a].tensor != sized[b].tensor);
    for (uint32_t i = builder->largest[sized[a].tensor]; i != SIZED_NONE; i = sized[i].next)
        for (uint32_t j = builder->largest[sized[b].tensor]; j != SIZED_NONE; j = sized[j].next)
            if ((i != a || j != b) && sized[i].bytes >= sized[a].bytes &&
                sized[j].bytes >= sized[b].bytes && is_marked(builder, i, j))
                return true;
    return false;
}

static enum status add_pairs(struct builder *builder)
{
    SCOPED(memory_release) struct problem_pair *list = NULL;
    size_t pairs = 0, capacity = 0;
    for (uint32_t b = 1; b < builder->sizes; b++)
        for (uint32_t a = 0; a < b; a++) {
            if (!is_marked(builder, a, b) || is_implied(builder, a, b))
                continue;
            TRY(memory_reserve(&list, &capacity, pairs + 1, sizeof *list, builder->error));
            list[pairs++] = (struct problem_pair){a, b};
        }
    return problem_conflicts_add(&builder->maker.level->problem, list, pairs, builder->error);
}

COMPARE_MEMBERS(compare_segments, struct problem_segment, lower)

/* Makes one buffer of all sizes of a tensor: it is in use wherever one of them is, with the bytes
   of that. */
static enum status join_sizes(struct builder *builder, uint32_t buffers)
{
    struct problem **problem = &builder->maker.level->problem;
    SCOPED(problem_release) struct problem *joined = NULL;
    struct problem_segment *segment;
    TRY(problem_create(&joined, graph_name(builder->graph), builder->error));
    TRY(scratch_take(&builder->scratch, &segment, (*problem)->segments, sizeof *segment,
                     builder->error));
    joined->line_end = (*problem)->line_end;
    assert(buffers < (*problem)->buffers && builder->sizes == (*problem)->buffers);
    for (uint32_t b = 0; b < buffers; b++) {
        size_t segments = 0;
        for (uint32_t i = b; i != SIZED_NONE; i = builder->sized[i].next)
            for (uint32_t s = (*problem)->first[i]; s < (*problem)->first[i + 1]; s++)
                segment[segments++] = (struct problem_segment){
                    (*problem)->lower[s], (*problem)->upper[s], 0, builder->sized[i].bytes};
        assert(segments <= (*problem)->segments);
        qsort(segment, segments, sizeof *segment, compare_segments);
        TRY(add_sized(builder, joined, &builder->sized[b]));
        for (size_t s = 0; s < segments; s++)
            TRY(problem_add_segment(joined, segment[s], builder->error));
    }
    problem_free(*problem);
    HAND_OVER(joined, problem);
}

static enum status build_level(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    struct error *error = builder->error;
    TRY(level_begin(&builder->maker, graph_name(graph)));
    TRY(value_bytes_create(graph, &builder->place_bytes, error));
    struct problem **problem = &builder->maker.level->problem;
    if (!graph_has_control_flow(graph) && !builder->source->pool_per_stream &&
        !builder->source->line) {
        TRY(stream_lifetimes_create(graph, NULL, &builder->lifetimes, error));
        TRY(scratch_take(&builder->scratch, &builder->clock, graph->streams.count,
                         2 * sizeof *builder->clock, error));
        TRY(add_buffers(builder));
        return problem_clocks_resolve(problem, error);
    }
    TRY(add_buffers(builder));
    uint32_t buffers = (*problem)->buffers;
    assert(!builder->sizes && !builder->lifetimes);
    TRY(mark_all(builder));
    TRY(scratch_take(&builder->scratch, &builder->largest, graph->tensors, sizeof(uint32_t),
                     error));
    for (uint32_t i = builder->sizes; i-- > 0;)
        builder->largest[builder->sized[i].tensor] = i;
    for (uint32_t i = buffers; i < builder->sizes; i++)
        TRY(add_sized(builder, *problem, &builder->sized[i]));
    TRY(add_pairs(builder));
    return builder->sizes > buffers ? join_sizes(builder, buffers) : STATUS_OK;
}

enum status stream_level_create(const struct stream_level_source *source, struct level **level,
                                struct error *error)
{
    const struct level_source made_of = {.graph = source->graph,
                                         .alignment_bytes = source->alignment_bytes};
    struct builder builder = {.maker = {.source = &made_of, .error = error},
                              .graph = source->graph,
                              .source = source,
                              .error = error};
    enum status status = level_end(&builder.maker, build_level(&builder), level);
    stream_lifetimes_free(builder.lifetimes);
    memory_free_all(builder.place_bytes, builder.sized);
    scratch_free(&builder.scratch);
    return status;
}
