#include "planning/graph/happens_before.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "core/scratch.h"

/* What is known while the graph is walked: for each stream the clock that its next step has if it
   waits for nothing on other streams. */
struct knowledge {
    uint32_t *row;       /* [streams * streams] those clocks */
    uint32_t *last_step; /* [streams] one past the last step of each stream so far */
    uint32_t *entered; /* [streams] the clock that all steps of the current region have at least */
};

struct walk {
    const struct graph *graph;
    const uint32_t *way; /* as happens_before_create says */
    struct happens_before *order;
    struct knowledge now;
    uint32_t op; /* the operator that waits or reads, for messages */
    struct error *error;
};

static void join_rows(uint32_t *row, const uint32_t *other, uint32_t streams)
{
    for (uint32_t s = 0; s < streams; s++)
        if (row[s] < other[s])
            row[s] = other[s];
}

static uint32_t *get_clock(const struct happens_before *order, uint32_t step)
{
    assert(step < order->steps);
    return order->clock + (size_t)step * order->streams;
}

static uint32_t *get_row(const struct walk *walk, uint32_t stream)
{
    assert(stream < walk->order->streams);
    return walk->now.row + (size_t)stream * walk->order->streams;
}

/* Adds to a stream's clock, the row, what is known once the step has ended. */
static void wait_for_step(const struct walk *walk, uint32_t *row, uint32_t step)
{
    uint32_t stream = walk->order->step_stream[step];
    assert(step < walk->order->steps && stream < walk->order->streams);
    join_rows(row, get_clock(walk->order, step), walk->order->streams);
    if (row[stream] <= step)
        row[stream] = step + 1;
}

/* The stream with this clock reads the tensor next. It waits for the producer if the graph implies
   that; otherwise the clock has to say that the producer has ended. */
static enum status read_tensor(const struct walk *walk, uint32_t *row, uint32_t tensor)
{
    const struct graph *graph = walk->graph;
    uint32_t written;
    if (!happens_before_written(walk->order, graph, tensor, &written))
        return STATUS_OK;
    if (graph->waits_implied)
        wait_for_step(walk, row, written);
    if (row[walk->order->step_stream[written]] > written)
        return STATUS_OK;
    assert(!graph->waits_implied);
    const struct graph_operator *producer = &graph->op[graph->tensor[tensor].producer];
    return error_set(walk->error, STATUS_BAD_INPUT,
                     "'%s' reads '%s', which '%s' on stream '%s' may still be writing, expected it "
                     "to wait or \"waits\": \"auto\"",
                     graph_label(graph, graph->op[walk->op].name),
                     names_get(&graph->tensor_names, tensor), graph_label(graph, producer->name),
                     names_get(&graph->streams, producer->stream));
}

static enum status read_tensors(const struct walk *walk, uint32_t *row, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(read_tensor(walk, row, walk->graph->list[tensors.first + i]));
    return STATUS_OK;
}

/* The step runs now, knowing what its stream knows. */
static void run_step(struct walk *walk, uint32_t step)
{
    uint32_t stream = walk->order->step_stream[step], *row = get_row(walk, stream);
    assert(walk->now.last_step[stream] <= step);
    memcpy(get_clock(walk->order, step), row, walk->order->streams * sizeof *row);
    row[stream] = walk->now.last_step[stream] = step + 1;
}

static size_t count_knowledge(const struct walk *walk)
{
    return ((size_t)walk->order->streams + 2) * walk->order->streams;
}

static enum status create_knowledge(const struct walk *walk, struct knowledge *knowledge,
                                    struct scratch *scratch)
{
    uint32_t streams = walk->order->streams;
    TRY(scratch_take(scratch, &knowledge->row, count_knowledge(walk), sizeof(uint32_t),
                     walk->error));
    knowledge->last_step = knowledge->row + (size_t)streams * streams;
    knowledge->entered = knowledge->last_step + streams;
    return STATUS_OK;
}

static void copy_knowledge(const struct walk *walk, struct knowledge *to,
                           const struct knowledge *from)
{
    memcpy(to->row, from->row, count_knowledge(walk) * sizeof *to->row);
}

static enum status walk_region(struct walk *walk, uint32_t region);

/* Continues from `before` along one way: through one branch, through the regions of a loop one
   after another, or, where region is GRAPH_NONE, past a loop that has no turn. *met is what is
   known on every way; before the first way it is greater than any clock. */
static enum status walk_way(struct walk *walk, uint32_t o, uint32_t region,
                            const struct knowledge *before, struct knowledge *met)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *op = &graph->op[o];
    const struct happens_before *order = walk->order;
    uint32_t streams = order->streams, leave = order->leave_step[o];
    uint32_t *row = get_row(walk, op->stream), *last_step = walk->now.last_step;
    assert(order->enter_step[o] < leave && leave < order->steps);
    copy_knowledge(walk, &walk->now, before);
    for (uint32_t r = region; r != GRAPH_NONE; r = op->loop ? graph->region[r].next : GRAPH_NONE) {
        uint32_t end = graph->region[r].end;
        memcpy(walk->now.entered, row, streams * sizeof *row);
        TRY(walk_region(walk, r));
        /* The region ends: the stream of its operator waits for all operators that the region holds
           directly, as what is nested deeper has ended when these have been left, and reads what
           the region yields. */
        for (uint32_t held = graph->region[r].begin; held < end; held = graph->op[held].end)
            wait_for_step(walk, row, order->leave_step[held]);
        walk->op = o;
        TRY(read_tensors(walk, row, graph->region[r].yields));
        for (uint32_t i = 0; i < op->carried.count && graph->region[r].next == GRAPH_NONE; i++)
            TRY(read_tensor(walk, row, graph->carried[op->carried.first + i].yield));
    }

    /* The steps of branches that are not taken do not run. So a clock that knows the last step of a
       stream that did run knows all steps of that stream up to leaving the operator. */
    for (uint32_t s = 0; s < streams; s++) {
        for (uint32_t t = 0; t < streams; t++)
            if (get_row(walk, t)[s] >= last_step[s])
                get_row(walk, t)[s] = leave;
        assert(last_step[s] <= leave);
        if (last_step[s] > order->enter_step[o] + 1)
            last_step[s] = leave;
    }
    for (size_t i = 0; i < (size_t)streams * streams; i++)
        if (met->row[i] > walk->now.row[i])
            met->row[i] = walk->now.row[i];
    join_rows(met->last_step, last_step, streams);
    return STATUS_OK;
}

static enum status walk_regions(struct walk *walk, uint32_t o)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    const struct graph *graph = walk->graph;
    const struct graph_operator *op = &graph->op[o];
    size_t streams = walk->order->streams;
    assert(op->first_region != GRAPH_NONE);
    struct knowledge before, met;
    TRY(create_knowledge(walk, &before, &scratch));
    TRY(create_knowledge(walk, &met, &scratch));
    copy_knowledge(walk, &before, &walk->now);
    memset(met.row, 0xff, streams * streams * sizeof *met.row);
    bool never = op->loop && (walk->way ? walk->way[o] == GRAPH_NONE : op->trip_count < 1);
    if (never)
        TRY(walk_way(walk, o, GRAPH_NONE, &before, &met));
    if (op->loop && !(never && walk->way))
        TRY(walk_way(walk, o, op->first_region, &before, &met));
    for (uint32_t r = op->first_region; r != GRAPH_NONE && !op->loop; r = graph->region[r].next)
        if (!walk->way || walk->way[o] == r)
            TRY(walk_way(walk, o, r, &before, &met));
    memcpy(met.entered, before.entered, streams * sizeof *met.entered);
    copy_knowledge(walk, &walk->now, &met);
    run_step(walk, walk->order->leave_step[o]);
    return STATUS_OK;
}

static enum status walk_region(struct walk *walk, uint32_t region)
{
    const struct graph *graph = walk->graph;
    const struct happens_before *order = walk->order;
    uint32_t end = graph->region[region].end;
    for (uint32_t o = graph->region[region].begin; o < end; o = graph->op[o].end) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t *row = get_row(walk, op->stream);
        assert(op->stream < order->streams && order->enter_step[o] <= order->leave_step[o]);
        join_rows(row, walk->now.entered, order->streams);
        for (uint32_t i = 0; i < op->after.count; i++)
            wait_for_step(walk, row, order->leave_step[graph->list[op->after.first + i]]);
        walk->op = o;
        TRY(read_tensors(walk, row, op->inputs));
        for (uint32_t i = 0; i < op->carried.count; i++)
            TRY(read_tensor(walk, row, graph->carried[op->carried.first + i].init));
        run_step(walk, order->enter_step[o]);
        if (op->first_region != GRAPH_NONE)
            TRY(walk_regions(walk, o));
    }
    return STATUS_OK;
}

static enum status walk_graph(struct walk *walk, struct happens_before **created)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    const struct graph *graph = walk->graph;
    struct error *error = walk->error;
    TRY(memory_create(&order, 1, sizeof *order, error));
    order->streams = graph->streams.count;
    TRY(memory_create_all(graph->operators, error, &order->enter_step, &order->leave_step));
    TRY(memory_create(&order->step_stream, (size_t)graph->operators * 2, sizeof(uint32_t), error));
    order->steps = graph_number_steps(graph, order->enter_step, order->leave_step);
    assert(order->steps >= graph->operators && order->steps <= 2 * graph->operators);
    for (uint32_t o = 0; o < graph->operators; o++)
        order->step_stream[order->enter_step[o]] = order->step_stream[order->leave_step[o]] =
            graph->op[o].stream;
    TRY(memory_create(&order->clock, order->steps, order->streams * sizeof(uint32_t), error));
    walk->order = order;
    TRY(create_knowledge(walk, &walk->now, &scratch));
    TRY(walk_region(walk, 0));
    HAND_OVER(order, created);
}

enum status happens_before_create(const struct graph *graph, const uint32_t *way,
                                  struct happens_before **order, struct error *error)
{
    struct walk walk = {.graph = graph, .way = way, .op = GRAPH_NONE, .error = error};
    return walk_graph(&walk, order);
}

enum status happens_before_check(const struct graph *graph, uint32_t *op, struct error *error)
{
    SCOPED(happens_before_release) struct happens_before *order = NULL;
    struct walk walk = {.graph = graph, .op = GRAPH_NONE, .error = error};
    enum status status = walk_graph(&walk, &order);
    *op = status ? walk.op : GRAPH_NONE;
    return status;
}

void happens_before_free(struct happens_before *order)
{
    if (!order)
        return;
    memory_free_all(order->enter_step, order->leave_step, order->step_stream, order->clock, order);
}

bool happens_before_is(const struct happens_before *order, uint32_t earlier, uint32_t later)
{
    assert(earlier < order->steps);
    return get_clock(order, later)[order->step_stream[earlier]] > earlier;
}

bool happens_before_written(const struct happens_before *order, const struct graph *graph,
                            uint32_t tensor, uint32_t *step)
{
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE)
        return false;
    assert(producer < graph->operators && tensor < graph->tensors);
    *step = graph_find_argument(graph, producer, tensor) ? order->enter_step[producer]
                                                         : order->leave_step[producer];
    return true;
}
