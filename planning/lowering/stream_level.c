#include "planning/lowering/stream_level.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/graph/ways.h"
#include "planning/liveness/stream_lifetimes.h"
#include "planning/problem/clocks.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/explicit_conflicts.h"

struct builder {
    const struct graph *graph;
    uint64_t *place_bytes; /* [tensors] */
    const struct stream_level_source *source;
    struct level *level;
    struct stream_lifetimes *lifetimes; /* of all ways; NULL where there are branches or loops */
    uint32_t *clock;                    /* [2 * streams] room for a start and an end */
    uint64_t *conflict; /* a bit for each pair of buffers, the later one's row after the other's */
    struct error *error;
};

/* Gives the last buffer its clock. The components are one more than those of the lifetimes, so that
   an input of the graph that nobody reads is over before anything else begins. */
static enum status add_clock(struct builder *builder, uint32_t tensor)
{
    const struct stream_lifetimes *lifetimes = builder->lifetimes;
    const struct happens_before *order = lifetimes->order;
    uint32_t streams = order->streams, born = lifetimes->born_step[tensor];
    uint32_t *start = builder->clock, *end = start + streams;
    for (uint32_t s = 0; s < streams; s++) {
        uint32_t last = lifetimes->end[(size_t)tensor * streams + s];
        start[s] = born == STREAM_FROM_START ? 0 : order->clock[(size_t)born * streams + s] + 1;
        end[s] = last == UINT32_MAX ? order->steps + 2 : last + 1;
        end[s] = end[s] < start[s] ? start[s] : end[s];
    }
    return problem_add_clock(builder->level->problem, (struct clock){streams, start, end},
                             builder->error);
}

static enum status add_tensor(struct builder *builder, uint32_t tensor)
{
    struct level *level = builder->level;
    if (builder->graph->tensor[tensor].external)
        return STATUS_OK;
    level->tensor[level->problem->buffers] = tensor;
    level->op[level->problem->buffers] = GRAPH_NONE;
    TRY(problem_add_buffer(level->problem,
                           &(struct problem_buffer){
                               .name = names_get(&builder->graph->tensor_names, tensor),
                               .size = builder->place_bytes[tensor],
                               .alignment = builder->source->alignment_bytes,
                               .fixed_offset = PROBLEM_FREE,
                               .hint = -1,
                           },
                           builder->error));
    return builder->lifetimes ? add_clock(builder, tensor) : STATUS_OK;
}

/* A carried result of a loop has no buffer of its own: it is where the argument is. */
static bool is_carried_result(const struct graph *graph, uint32_t o, uint32_t tensor)
{
    struct span carried = graph->op[o].carried;
    for (uint32_t i = 0; i < carried.count; i++)
        if (graph->carried[carried.first + i].result == tensor)
            return true;
    return false;
}

static enum status add_operator(struct builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    struct span carried = graph->op[o].carried, outputs = graph->op[o].outputs;
    for (uint32_t i = 0; i < carried.count; i++)
        TRY(add_tensor(builder, graph->carried[carried.first + i].argument));
    for (uint32_t i = 0; i < outputs.count; i++)
        if (!is_carried_result(graph, o, graph->list[outputs.first + i]))
            TRY(add_tensor(builder, graph->list[outputs.first + i]));
    return STATUS_OK;
}

static enum status add_buffers(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    TRY(memory_create(&builder->level->tensor, graph->tensors, sizeof(uint32_t), builder->error));
    TRY(memory_create(&builder->level->op, graph->tensors, sizeof(uint32_t), builder->error));
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        TRY(add_tensor(builder, graph->list[graph->inputs.first + i]));
    for (uint32_t o = 0; o < graph->operators; o++)
        TRY(add_operator(builder, o));
    return STATUS_OK;
}

/* Each tensor is in the pool of the stream that writes it first; what is there from the start is in
   the pool of the first stream. */
static bool are_in_one_pool(const struct stream_lifetimes *lifetimes, uint32_t a, uint32_t b)
{
    const uint32_t *stream = lifetimes->order->step_stream, *born = lifetimes->born_step;
    return (born[a] == STREAM_FROM_START ? 0 : stream[born[a]]) ==
           (born[b] == STREAM_FROM_START ? 0 : stream[born[b]]);
}

static bool are_apart(const struct liveness *line, uint32_t a, uint32_t b)
{
    return line->upper[a] <= line->lower[b] || line->upper[b] <= line->lower[a];
}

static bool conflict(const struct builder *builder, const struct stream_lifetimes *lifetimes,
                     uint32_t a, uint32_t b)
{
    const struct stream_level_source *source = builder->source;
    if (source->pool_per_stream && !are_in_one_pool(lifetimes, a, b))
        return true;
    if (source->line && are_apart(source->line, a, b))
        return false;
    return stream_lifetimes_conflict(lifetimes, builder->graph, a, b);
}

static size_t count_pairs(uint32_t buffers)
{
    return (size_t)buffers * (buffers - (buffers > 0)) / 2;
}

static void mark_pairs(const struct builder *builder, const struct stream_lifetimes *lifetimes)
{
    const struct level *level = builder->level;
    size_t pair = 0;
    for (uint32_t b = 1; b < level->problem->buffers; b++)
        for (uint32_t a = 0; a < b; a++, pair++) {
            uint32_t first = level->tensor[a], second = level->tensor[b];
            if (lifetimes->place[first] == first && lifetimes->place[second] == second &&
                conflict(builder, lifetimes, first, second))
                builder->conflict[pair / 64] |= UINT64_C(1) << pair % 64;
        }
}

static enum status mark_way(void *context, const uint32_t *way)
{
    const struct builder *builder = context;
    struct stream_lifetimes *lifetimes;
    TRY(stream_lifetimes_create(builder->graph, way, &lifetimes, builder->error));
    mark_pairs(builder, lifetimes);
    stream_lifetimes_free(lifetimes);
    return STATUS_OK;
}

/* How many ways through the graph are looked at one by one: as many as take about a second, since
   looking at a pair of buffers takes some nanoseconds for each stream. */
static uint32_t count_most_ways(const struct builder *builder, size_t pairs)
{
    enum { MOST_WAYS = 65536, MOST_LOOKS = 200000000 };
    size_t ways = MOST_LOOKS / ((pairs + 1) * builder->graph->streams.count);
    ways = ways > MOST_WAYS ? MOST_WAYS : ways;
    return ways > STREAM_LEVEL_MOST_WAYS ? (uint32_t)ways : STREAM_LEVEL_MOST_WAYS;
}

static enum status mark_all(struct builder *builder)
{
    const struct graph_way_visitor visitor = {mark_way, builder};
    size_t pairs = count_pairs(builder->level->problem->buffers);
    TRY(memory_create(&builder->conflict, pairs / 64 + 1, sizeof *builder->conflict,
                      builder->error));
    uint32_t most_ways = count_most_ways(builder, pairs);
    builder->level->is_cautious = graph_count_ways(builder->graph, most_ways) > most_ways;
    if (builder->level->is_cautious)
        return mark_way(builder, NULL);
    return graph_visit_ways(builder->graph, most_ways, &visitor, builder->error);
}

static bool is_marked(const struct builder *builder, size_t pair)
{
    return builder->conflict[pair / 64] >> pair % 64 & 1;
}

static enum status add_pairs(struct builder *builder)
{
    struct problem **problem = &builder->level->problem;
    struct problem_pair *list;
    size_t all = count_pairs((*problem)->buffers), pairs = 0, pair = 0;
    for (size_t p = 0; p < all; p++)
        pairs += is_marked(builder, p);
    TRY(memory_create(&list, pairs, sizeof *list, builder->error));
    pairs = 0;
    for (uint32_t b = 1; b < (*problem)->buffers; b++)
        for (uint32_t a = 0; a < b; a++, pair++)
            if (is_marked(builder, pair))
                list[pairs++] = (struct problem_pair){a, b};
    enum status status = problem_conflicts_add(problem, list, pairs, builder->error);
    memory_free(list);
    return status;
}

static enum status build_from_clocks(struct builder *builder)
{
    const struct graph *graph = builder->graph;
    TRY(stream_lifetimes_create(graph, NULL, &builder->lifetimes, builder->error));
    TRY(memory_create(&builder->clock, graph->streams.count, 2 * sizeof *builder->clock,
                      builder->error));
    TRY(add_buffers(builder));
    return problem_clocks_resolve(&builder->level->problem, builder->error);
}

static enum status build_from_pairs(struct builder *builder)
{
    TRY(add_buffers(builder));
    TRY(mark_all(builder));
    return add_pairs(builder);
}

static enum status build_level(struct builder *builder)
{
    struct problem **problem = &builder->level->problem;
    TRY(problem_create(problem, graph_name(builder->graph), builder->error));
    TRY(value_bytes_create(builder->graph, &builder->place_bytes, builder->error));
    if (graph_has_control_flow(builder->graph) || builder->source->pool_per_stream ||
        builder->source->line)
        TRY(build_from_pairs(builder));
    else
        TRY(build_from_clocks(builder));
    return problem_finish(*problem, builder->error);
}

enum status stream_level_create(const struct stream_level_source *source, struct level **level,
                                struct error *error)
{
    struct builder builder = {.graph = source->graph, .source = source, .error = error};
    assert(source->alignment_bytes > 0);
    TRY(memory_create(&builder.level, 1, sizeof *builder.level, error));
    builder.level->graph = source->graph;
    enum status status = build_level(&builder);
    stream_lifetimes_free(builder.lifetimes);
    memory_free(builder.clock);
    memory_free(builder.conflict);
    memory_free(builder.place_bytes);
    if (status)
        level_free(builder.level);
    else
        *level = builder.level;
    return status;
}
