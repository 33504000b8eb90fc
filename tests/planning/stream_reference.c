#include "planning/stream_reference.h"

#include "planning/graph/build.h"
#include "support/must.h"
#include "support/testing.h"

static void run_step(struct stream_reference *reference, uint32_t step, uint64_t waits)
{
    uint32_t stream = reference->order->step_stream[step];
    waits |= reference->last_on_stream[stream];
    reference->waits[step] = reference->before[step] = waits;
    for (uint32_t s = 0; s < STREAM_MOST_STEPS; s++)
        if (waits >> s & 1)
            reference->before[step] |= reference->before[s];
    reference->runs |= UINT64_C(1) << step;
    reference->last_on_stream[stream] = UINT64_C(1) << step;
}

static uint64_t producer_of(const struct stream_reference *reference, uint32_t tensor)
{
    uint32_t step;
    return happens_before_written(reference->order, reference->graph, tensor, &step)
               ? UINT64_C(1) << step
               : 0;
}

static uint64_t producers_of(const struct stream_reference *reference, struct span tensors)
{
    uint64_t steps = 0;
    for (uint32_t i = 0; i < tensors.count; i++)
        steps |= producer_of(reference, reference->graph->list[tensors.first + i]);
    return steps;
}

static void run_region(struct stream_reference *reference, uint32_t region);

static uint64_t run_regions(struct stream_reference *reference, uint32_t o)
{
    const struct graph *graph = reference->graph;
    uint64_t waits = 0, earlier = reference->runs;
    uint32_t taken = reference->way->taken[o];
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        if (taken == GRAPH_NONE || (!graph->op[o].loop && taken != r))
            continue;
        reference->entered = waits | (reference->runs & ~earlier);
        run_region(reference, r);
        waits |= producers_of(reference, graph->region[r].yields);
    }
    for (uint32_t i = 0; i < graph->op[o].carried.count && taken != GRAPH_NONE; i++)
        waits |= producer_of(reference, graph->carried[graph->op[o].carried.first + i].yield);
    return waits | (reference->runs & ~earlier);
}

static void run_region(struct stream_reference *reference, uint32_t region)
{
    const struct graph *graph = reference->graph;
    uint32_t owner = graph->region[region].owner;
    uint64_t entered = reference->entered;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end) {
        const struct graph_operator *op = &graph->op[o];
        uint64_t waits = producers_of(reference, op->inputs);
        for (uint32_t i = 0; i < op->carried.count; i++)
            waits |= producer_of(reference, graph->carried[op->carried.first + i].init);
        for (uint32_t i = 0; i < op->after.count; i++)
            waits |= UINT64_C(1) << reference->order->leave_step[graph->list[op->after.first + i]];
        waits |= entered;
        if (owner != GRAPH_NONE)
            waits |= UINT64_C(1) << reference->order->enter_step[owner];
        run_step(reference, reference->order->enter_step[o], waits);
        if (op->first_region != GRAPH_NONE)
            run_step(reference, reference->order->leave_step[o], run_regions(reference, o));
    }
}

/* The next way; false where this was the last one. */
bool stream_way_next(const struct graph *graph, struct stream_way *way)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        if (op->first_region == GRAPH_NONE)
            continue;
        uint32_t after = way->taken[o] == GRAPH_NONE ? op->first_region
                         : op->loop                  ? GRAPH_NONE
                                                     : graph->region[way->taken[o]].next;
        if (after != GRAPH_NONE) {
            way->taken[o] = after;
            return true;
        }
        way->taken[o] = op->loop && op->trip_count < 1 ? GRAPH_NONE : op->first_region;
    }
    return false;
}

struct stream_way stream_way_first(const struct graph *graph)
{
    struct stream_way way;
    for (uint32_t o = 0; o < graph->operators; o++)
        way.taken[o] = graph->op[o].loop && graph->op[o].trip_count < 1 ? GRAPH_NONE
                                                                        : graph->op[o].first_region;
    return way;
}

void stream_reference_run(struct stream_reference *reference, const struct graph *graph,
                          const struct happens_before *order, const struct stream_way *way)
{
    *reference = (struct stream_reference){.graph = graph, .order = order, .way = way};
    run_region(reference, 0);
}

void stream_reference_spread(struct graph *graph, struct random_state *random, uint32_t most)
{
    uint32_t stream, streams = 1 + (uint32_t)random_below(random, most);
    char name[] = "a";
    for (; graph->streams.count < streams; name[0]++)
        must(graph_add_stream(graph, name, "", &stream, &error));
    for (uint32_t o = 0; o < graph->operators; o++)
        graph->op[o].stream = (uint32_t)random_below(random, streams);
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].loop)
            graph->op[o].trip_count = (int64_t)random_below(random, 7) - 3;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].trip_count < 0)
            graph->op[o].trip_count = -1;
    graph->waits_implied = true;
}
