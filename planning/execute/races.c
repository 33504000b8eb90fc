#include "planning/execute/races.h"

#include <assert.h>
#include <string.h>

enum status execute_races_create(struct execute_races *races, const struct graph *graph,
                                 uint32_t cells, struct scratch *scratch, struct error *error)
{
    *races = (struct execute_races){0};
    if (!graph_has_streams(graph))
        return STATUS_OK;
    races->graph = graph;
    races->streams = graph->streams.count;
    size_t row = races->streams * sizeof(uint32_t);

    TRY(scratch_take(scratch, &races->tick, 1, row, error));
    TRY(scratch_take(scratch, &races->now, 1, row, error));
    TRY(scratch_take(scratch, &races->row, races->streams, row, error));
    TRY(scratch_take(scratch, &races->entered, graph->operators, row, error));
    TRY(scratch_take(scratch, &races->ended, graph->operators, row, error));
    TRY(scratch_take_all(scratch, cells, error, &races->write_stream, &races->write_tick));
    return scratch_take(scratch, &races->read_tick, cells, row, error);
}

void execute_races_restart(struct execute_races *races)
{
    size_t bytes = races->streams * sizeof *races->tick;
    for (uint32_t s = 0; s < races->streams; s++)
        memcpy(races->row + (size_t)s * races->streams, races->tick, bytes);
    if (races->graph)
        memcpy(races->now, races->tick, bytes);
    races->stream = 0;
}

static uint32_t *get_entered(const struct execute_races *races, uint32_t o)
{
    return races->entered + (size_t)o * races->streams;
}

static uint32_t *get_ended(const struct execute_races *races, uint32_t o)
{
    return races->ended + (size_t)o * races->streams;
}

static void know(struct execute_races *races, const uint32_t *known)
{
    for (uint32_t s = 0; s < races->streams; s++)
        if (races->now[s] < known[s])
            races->now[s] = known[s];
}

/* The event at hand reads a tensor, inside operator `reader` or for it: it knows what the producer
   knew when it ended or, where that is a loop around the reader, when a turn began. Where the graph
   does not imply waits, a read waits for nothing. */
static void know_producer(struct execute_races *races, uint32_t tensor, uint32_t reader)
{
    uint32_t producer = races->graph->tensor[tensor].producer;
    if (!races->graph->waits_implied || producer == GRAPH_NONE)
        return;
    assert(tensor < races->graph->tensors && reader < races->graph->operators);
    bool is_around = producer <= reader && reader < races->graph->op[producer].end;
    know(races, is_around ? get_entered(races, producer) : get_ended(races, producer));
}

static void know_producers(struct execute_races *races, struct span tensors, uint32_t reader)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        know_producer(races, races->graph->list[tensors.first + i], reader);
}

/* The region has run: what it holds has been left, and what it yields is read. */
static void know_region(struct execute_races *races, uint32_t region)
{
    const struct graph *graph = races->graph;
    uint32_t end = graph->region[region].end;
    assert(graph->region[region].owner != GRAPH_NONE);
    for (uint32_t o = graph->region[region].begin; o < end; o = graph->op[o].end)
        know(races, get_ended(races, o));
    know_producers(races, graph->region[region].yields, graph->region[region].owner);
}

/* The event at hand comes after the loop's regions up to `before_region`, which run one after
   another in each turn. */
static void know_turn(struct execute_races *races, uint32_t loop, uint32_t before_region)
{
    const struct graph *graph = races->graph;
    assert(graph->op[loop].loop);
    for (uint32_t r = graph->op[loop].first_region; r != before_region; r = graph->region[r].next)
        know_region(races, r);
}

static void begin_operator(struct execute_races *races, uint32_t o)
{
    const struct graph *graph = races->graph;
    const struct graph_operator *op = &graph->op[o];
    uint32_t owner = graph->region[op->region].owner;
    assert(owner == GRAPH_NONE || owner < o);
    if (owner != GRAPH_NONE) {
        know(races, get_entered(races, owner));
        if (graph->op[owner].loop)
            know_turn(races, owner, op->region);
    }
    for (uint32_t i = 0; i < op->after.count; i++) {
        assert(graph->list[op->after.first + i] < o);
        know(races, get_ended(races, graph->list[op->after.first + i]));
    }
    know_producers(races, op->inputs, o);
    for (uint32_t i = 0; i < op->carried.count; i++)
        know_producer(races, graph->carried[op->carried.first + i].init, o);
}

void execute_races_begin(struct execute_races *races, const struct execute_event *event)
{
    if (!races->graph)
        return;
    const struct graph_operator *op = &races->graph->op[event->op];
    races->stream = op->stream;
    assert(races->stream < races->streams);
    memcpy(races->now, races->row + (size_t)races->stream * races->streams,
           races->streams * sizeof *races->now);
    switch (event->kind) {
    case EXECUTE_PLAIN:
    case EXECUTE_ENTER:
        begin_operator(races, event->op);
        break;
    case EXECUTE_TURN:
        know_turn(races, event->op, GRAPH_NONE);
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
            know_producer(races, races->graph->carried[c].yield, event->op);
        break;
    case EXECUTE_LEAVE:
        know(races, get_entered(races, event->op));
        if (event->region != GRAPH_NONE)
            know_region(races, event->region);
        break;
    }
    assert(races->now[races->stream] <= races->tick[races->stream]);
    races->tick[races->stream]++;
}

void execute_races_end(struct execute_races *races, const struct execute_event *event)
{
    if (!races->graph)
        return;
    size_t bytes = races->streams * sizeof *races->now;
    assert(races->now[races->stream] < races->tick[races->stream]);
    races->now[races->stream] = races->tick[races->stream];
    memcpy(races->row + (size_t)races->stream * races->streams, races->now, bytes);
    if (event->kind == EXECUTE_ENTER || event->kind == EXECUTE_TURN)
        memcpy(get_entered(races, event->op), races->now, bytes);
    else
        memcpy(get_ended(races, event->op), races->now, bytes);
}

/* Whether the event of the stream with this number is the event at hand, or has surely ended when
   that starts. */
static bool comes_before(const struct execute_races *races, uint32_t stream, uint32_t tick)
{
    assert(stream < races->streams && tick <= races->tick[stream]);
    return tick <= races->now[stream] || (stream == races->stream && tick == races->tick[stream]);
}

bool execute_races_read(struct execute_races *races, uint32_t cell)
{
    if (!races->graph)
        return true;
    assert(races->stream < races->streams);
    races->read_tick[(size_t)cell * races->streams + races->stream] = races->tick[races->stream];
    return comes_before(races, races->write_stream[cell], races->write_tick[cell]);
}

bool execute_races_write(struct execute_races *races, uint32_t cell)
{
    if (!races->graph)
        return true;
    bool ordered = comes_before(races, races->write_stream[cell], races->write_tick[cell]);
    for (uint32_t s = 0; s < races->streams; s++)
        ordered =
            ordered && comes_before(races, s, races->read_tick[(size_t)cell * races->streams + s]);
    races->write_stream[cell] = races->stream;
    races->write_tick[cell] = races->tick[races->stream];
    return ordered;
}
