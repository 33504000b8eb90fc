#include "planning/verify/streams/order.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"

enum status stream_run_create(const struct graph *graph, struct stream_run *run,
                              struct error *error)
{
    size_t most_steps = (size_t)graph->operators * 2 + graph->regions;
    struct scratch *scratch = &run->scratch;
    *run = (struct stream_run){.graph = graph};
    TRY(scratch_take_all(scratch, graph->operators, error, &run->enter, &run->leave));
    TRY(scratch_take_all(scratch, most_steps, error, &run->stream, &run->region));
    TRY(scratch_take(scratch, &run->region_end, graph->regions, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &run->first, most_steps + 1, sizeof(size_t), error));
    return scratch_take(scratch, &run->last, graph->streams.count, sizeof(uint32_t), error);
}

void stream_run_free(struct stream_run *run)
{
    scratch_free(&run->scratch);
    memory_free(run->edge);
}

bool stream_run_takes(const struct stream_run *run, uint32_t region)
{
    uint32_t owner = run->graph->region[region].owner;
    assert(owner < run->graph->operators);
    return !run->choice || run->choice[owner] == region ||
           (run->graph->op[owner].loop && run->choice[owner] != GRAPH_NONE);
}

/* Lets the next step, whose edges are being listed, wait for this one. */
static enum status add_edge(struct stream_run *run, uint32_t step)
{
    if (step == GRAPH_NONE)
        return STATUS_OK;
    assert(step < run->steps);
    TRY(memory_reserve(&run->edge, &run->edge_capacity, run->edges + 1, sizeof *run->edge,
                       run->error));
    run->edge[run->edges++] = step;
    return STATUS_OK;
}

/* Lets the next step wait for the producer of a tensor where the graph implies such waits.
   Elsewhere only "after" and the streams say what waits for what. */
static enum status add_producer(struct stream_run *run, uint32_t tensor, uint32_t reader)
{
    const struct graph *graph = run->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    assert(tensor < graph->tensors);
    if (!graph->waits_implied || producer == GRAPH_NONE)
        return STATUS_OK;
    bool is_around = producer < reader && reader < graph->op[producer].end;
    return add_edge(run, is_around ? run->enter[producer] : run->leave[producer]);
}

static enum status add_producers(struct stream_run *run, struct span tensors, uint32_t reader)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(add_producer(run, run->graph->list[tensors.first + i], reader));
    return STATUS_OK;
}

/* The next step has all its edges but that from the last one on its stream, which is left out where
   the run is of all ways, as another step may be the last. */
static enum status end_step(struct stream_run *run, uint32_t region, uint32_t stream,
                            uint32_t *step)
{
    if (run->choice)
        TRY(add_edge(run, run->last[stream]));
    assert(run->edges >= run->first[run->steps]);
    assert(run->steps < 2 * run->graph->operators + run->graph->regions);
    *step = run->steps;
    assert(stream == GRAPH_NONE || stream < run->graph->streams.count);
    run->stream[run->steps] = stream;
    run->region[run->steps] = region;
    if (run->choice)
        run->last[stream] = run->steps;
    run->first[++run->steps] = run->edges;
    return STATUS_OK;
}

/* Lets the next step wait until all that the region holds directly has been left. */
static enum status add_region(struct stream_run *run, uint32_t region)
{
    const struct graph *graph = run->graph;
    uint32_t end = graph->region[region].end;
    for (uint32_t o = graph->region[region].begin; o < end; o = graph->op[o].end)
        TRY(add_edge(run, run->leave[o]));
    return STATUS_OK;
}

static enum status follow_region(struct stream_run *run, uint32_t region);

static enum status enter_operator(struct stream_run *run, uint32_t o)
{
    const struct graph *graph = run->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t owner = graph->region[op->region].owner;
    assert(owner == GRAPH_NONE || run->enter[owner] != GRAPH_NONE);
    assert(run->enter[o] == GRAPH_NONE);
    if (owner != GRAPH_NONE) {
        TRY(add_edge(run, run->enter[owner]));
        for (uint32_t r = graph->op[owner].first_region; graph->op[owner].loop && r != op->region;
             r = graph->region[r].next) {
            TRY(add_region(run, r));
            TRY(add_producers(run, graph->region[r].yields, owner + 1));
        }
    }
    for (uint32_t i = 0; i < op->after.count; i++)
        TRY(add_edge(run, run->leave[graph->list[op->after.first + i]]));
    TRY(add_producers(run, op->inputs, o));
    for (uint32_t i = 0; i < op->carried.count; i++)
        TRY(add_producer(run, graph->carried[op->carried.first + i].init, o));
    return end_step(run, op->region, op->stream, &run->enter[o]);
}

/* Lets the next step wait for what the region holds and for what is read when it has run. */
static enum status add_taken(struct stream_run *run, uint32_t region)
{
    const struct graph *graph = run->graph;
    uint32_t owner = graph->region[region].owner;
    struct span carried = graph->op[owner].carried;
    assert(run->enter[owner] != GRAPH_NONE);
    assert(stream_run_takes(run, region));
    TRY(add_region(run, region));
    TRY(add_producers(run, graph->region[region].yields, owner + 1));
    for (uint32_t i = 0; i < carried.count && graph->region[region].next == GRAPH_NONE; i++)
        TRY(add_producer(run, graph->carried[carried.first + i].yield, owner + 1));
    return STATUS_OK;
}

/* Where the run is of all ways, each region ends with a step of its own on no stream, which only
   the ways that take it have. */
static enum status follow_regions(struct stream_run *run, uint32_t o)
{
    const struct graph *graph = run->graph;
    const struct graph_operator *op = &graph->op[o];
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        if (!stream_run_takes(run, r))
            continue;
        TRY(follow_region(run, r));
        if (run->choice)
            continue;
        TRY(add_taken(run, r));
        TRY(end_step(run, r, GRAPH_NONE, &run->region_end[r]));
    }
    TRY(add_edge(run, run->enter[o]));
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (!run->choice)
            TRY(add_edge(run, run->region_end[r]));
        else if (stream_run_takes(run, r))
            TRY(add_taken(run, r));
    return end_step(run, op->region, op->stream, &run->leave[o]);
}

static enum status follow_region(struct stream_run *run, uint32_t region)
{
    const struct graph *graph = run->graph;
    uint32_t end = graph->region[region].end;
    for (uint32_t o = graph->region[region].begin; o < end; o = graph->op[o].end) {
        TRY(enter_operator(run, o));
        run->leave[o] = run->enter[o];
        assert(run->enter[o] < run->steps);
        if (graph->op[o].first_region != GRAPH_NONE)
            TRY(follow_regions(run, o));
    }
    return STATUS_OK;
}

enum status stream_run_follow(struct stream_run *run, const uint32_t *choice, struct error *error)
{
    run->choice = choice;
    run->error = error;
    run->steps = 0;
    run->edges = 0;
    run->first[0] = 0;
    for (uint32_t o = 0; o < run->graph->operators; o++)
        run->enter[o] = run->leave[o] = GRAPH_NONE;
    for (uint32_t s = 0; s < run->graph->streams.count; s++)
        run->last[s] = GRAPH_NONE;
    return follow_region(run, 0);
}

COMPARE_MEMBERS(compare_questions, struct stream_question, earlier, later)

enum { SOURCES = 64 }; /* earlier steps whose followers are found at a time, a bit for each */

/* Answers the first questions of a sorted list, as many as have SOURCES different earlier steps. Of
   each step, ended and own say with a bit for each source whether that has ended when the step
   starts, and whether it is the step itself. */
static size_t answer_some(const struct stream_run *run, struct stream_question *question,
                          size_t questions, uint64_t *ended, uint64_t *own)
{
    uint32_t source[SOURCES], sources = 0, last = question[0].earlier;
    size_t end = 0;
    for (; end < questions; end++) {
        bool same = sources && source[sources - 1] == question[end].earlier;
        if (sources == SOURCES && !same)
            break;
        if (question[end].later > last)
            last = question[end].later;
        if (!same)
            source[sources++] = question[end].earlier;
    }
    assert(sources > 0 && last < run->steps);
    for (uint32_t s = source[0]; s <= last; s++)
        ended[s] = own[s] = 0;
    for (uint32_t i = 0; i < sources && source[i] <= last; i++)
        own[source[i]] |= UINT64_C(1) << i;
    for (uint32_t s = source[0]; s <= last; s++)
        for (size_t e = run->first[s]; e < run->first[s + 1]; e++)
            if (run->edge[e] >= source[0])
                ended[s] |= ended[run->edge[e]] | own[run->edge[e]];
    for (size_t q = 0, i = 0; q < end; q++) {
        while (source[i] != question[q].earlier)
            i++;
        assert(i < sources && question[q].later < run->steps);
        question[q].before =
            question[q].later > question[q].earlier && (ended[question[q].later] >> i & 1);
    }
    return end;
}

enum status stream_run_answer(const struct stream_run *run, struct stream_question *question,
                              size_t questions, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t *ended, *own;
    TRY(scratch_take_all(&scratch, run->steps, error, &ended, &own));
    if (questions)
        qsort(question, questions, sizeof *question, compare_questions);
    for (size_t asked = 0; asked < questions;)
        asked += answer_some(run, question + asked, questions - asked, ended, own);
    return STATUS_OK;
}
