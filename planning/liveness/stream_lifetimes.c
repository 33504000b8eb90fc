#include "planning/liveness/stream_lifetimes.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/ways.h"

static uint32_t *get_end(const struct stream_lifetimes *lifetimes, uint32_t tensor)
{
    return lifetimes->end + (size_t)tensor * lifetimes->order->streams;
}

/* The same of its uses in the turn of a loop whose argument it is. */
static uint32_t *get_turn_end(const struct stream_lifetimes *lifetimes, uint32_t tensor)
{
    return lifetimes->turn_end + (size_t)tensor * lifetimes->order->streams;
}

static void use_at(struct stream_lifetimes *lifetimes, uint32_t tensor, uint32_t step)
{
    uint32_t place = lifetimes->place[tensor], stream = lifetimes->order->step_stream[step];
    if (place == GRAPH_NONE)
        return;
    uint32_t *end = get_end(lifetimes, place) + stream;
    if (*end <= step)
        *end = step + 1;
}

/* Only what is in a loop's regions reads its argument by this name. */
static void read_at(struct stream_lifetimes *lifetimes, uint32_t tensor, uint32_t step)
{
    use_at(lifetimes, tensor, step);
    if (!lifetimes->turn_end)
        return;
    uint32_t *end = get_turn_end(lifetimes, tensor) + lifetimes->order->step_stream[step];
    if (*end <= step)
        *end = step + 1;
}

struct uses {
    struct stream_lifetimes *lifetimes;
    const struct graph *graph;
    const bool *reached; /* [regions] whether the way, or any way where none is given, runs it */
};

/* A use at `step` by an operator in `region`. Each loop around it that does not hold the producer
   may use the tensor in another turn, even where the way itself does not run the region. */
static void use_tensor(const struct uses *uses, uint32_t tensor, uint32_t step, uint32_t region)
{
    const struct graph *graph = uses->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    if (uses->reached[region])
        read_at(uses->lifetimes, tensor, step);
    for (; region != 0; region = graph->op[graph->region[region].owner].region) {
        uint32_t owner = graph->region[region].owner;
        if (producer != GRAPH_NONE && producer >= owner && producer < graph->op[owner].end)
            return;
        if (graph->op[owner].loop && uses->reached[graph->op[owner].first_region])
            read_at(uses->lifetimes, tensor, uses->lifetimes->order->leave_step[owner]);
    }
}

static void make_tensor(struct stream_lifetimes *lifetimes, const struct graph *graph,
                        uint32_t tensor, uint32_t step)
{
    if (graph->tensor[tensor].external)
        return;
    lifetimes->place[tensor] = tensor;
    lifetimes->born_step[tensor] = step;
    if (step != STREAM_FROM_START)
        use_at(lifetimes, tensor, step);
}

/* Outputs of a loop are filled turn by turn, so they are written from entering it on. */
static void make_outputs(struct stream_lifetimes *lifetimes, const struct graph *graph, uint32_t o)
{
    const struct graph_operator *op = &graph->op[o];
    const struct happens_before *order = lifetimes->order;
    uint32_t step = op->loop ? order->enter_step[o] : order->leave_step[o];
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t tensor = graph->list[op->outputs.first + i];
        lifetimes->region[tensor] = op->region;
        make_tensor(lifetimes, graph, tensor, step);
        use_at(lifetimes, tensor, order->leave_step[o]);
    }
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        lifetimes->region[carried->argument] = op->region;
        make_tensor(lifetimes, graph, carried->argument, step);
        use_at(lifetimes, carried->argument, order->leave_step[o]);
        if (!graph->tensor[carried->result].external)
            lifetimes->place[carried->result] = carried->argument;
    }
}

static void use_inputs(const struct uses *uses, uint32_t o)
{
    const struct graph *graph = uses->graph;
    const struct graph_operator *op = &graph->op[o];
    const struct happens_before *order = uses->lifetimes->order;
    uint32_t enter = order->enter_step[o], leave = order->leave_step[o];
    for (uint32_t i = 0; i < op->inputs.count; i++)
        use_tensor(uses, graph->list[op->inputs.first + i], enter, op->region);
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        use_tensor(uses, carried->init, enter, op->region);
        use_tensor(uses, carried->yield, leave, op->first_region);
    }
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
            use_tensor(uses, graph_yield(graph, r, i), leave, r);
}

static void find_lifetimes(struct stream_lifetimes *lifetimes, const struct graph *graph,
                           const bool *reached)
{
    const struct uses uses = {lifetimes, graph, reached};
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    for (uint32_t t = 0; t < graph->tensors; t++)
        lifetimes->place[t] = GRAPH_NONE;
    for (uint32_t i = 0; i < inputs.count; i++)
        make_tensor(lifetimes, graph, graph->list[inputs.first + i], STREAM_FROM_START);
    for (uint32_t o = 0; o < graph->operators; o++)
        if (reached[graph->op[o].region])
            make_outputs(lifetimes, graph, o);
    for (uint32_t o = 0; o < graph->operators; o++)
        use_inputs(&uses, o);
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t place = lifetimes->place[graph->list[outputs.first + i]];
        if (place != GRAPH_NONE)
            memset(get_end(lifetimes, place), 0xff,
                   lifetimes->order->streams * sizeof *lifetimes->end);
    }
}

static enum status create_lifetimes(const struct graph *graph, const uint32_t *way,
                                    struct stream_lifetimes *lifetimes, struct error *error)
{
    uint32_t **per_tensor[] = {&lifetimes->place, &lifetimes->born_step, &lifetimes->region};
    TRY(happens_before_create(graph, way, &lifetimes->order, error));
    for (int i = 0; i < 3; i++)
        TRY(memory_create(per_tensor[i], graph->tensors, sizeof(uint32_t), error));
    if (graph->carried_count)
        TRY(memory_create(&lifetimes->turn_end, graph->tensors,
                          lifetimes->order->streams * sizeof(uint32_t), error));
    return memory_create(&lifetimes->end, graph->tensors,
                         lifetimes->order->streams * sizeof(uint32_t), error);
}

enum status stream_lifetimes_create(const struct graph *graph, const uint32_t *way,
                                    struct stream_lifetimes **created, struct error *error)
{
    struct stream_lifetimes *lifetimes;
    bool *reached = NULL;
    enum status status;
    TRY(memory_create(&lifetimes, 1, sizeof *lifetimes, error));
    TRY_OR_DONE(status, create_lifetimes(graph, way, lifetimes, error));
    TRY_OR_DONE(status, memory_create(&reached, graph->regions, sizeof *reached, error));
    graph_mark_reached(graph, way, reached);
    find_lifetimes(lifetimes, graph, reached);
    *created = lifetimes;
done:
    memory_free(reached);
    if (status)
        stream_lifetimes_free(lifetimes);
    return status;
}

void stream_lifetimes_free(struct stream_lifetimes *lifetimes)
{
    if (!lifetimes)
        return;
    happens_before_free(lifetimes->order);
    memory_free(lifetimes->place);
    memory_free(lifetimes->born_step);
    memory_free(lifetimes->end);
    memory_free(lifetimes->turn_end);
    memory_free(lifetimes->region);
    memory_free(lifetimes);
}

/* Of two regions a and b, those around them (or themselves) that are right inside the innermost
   region that holds both; 0 for one that is this region itself. A region is numbered after all
   regions around it. */
struct fork {
    uint32_t branch_a, branch_b;
};

static struct fork find_fork(const struct graph *graph, uint32_t a, uint32_t b)
{
    struct fork fork = {0, 0};
    while (a != b) {
        bool leaves_a = a > b;
        uint32_t *inner = leaves_a ? &a : &b;
        *(leaves_a ? &fork.branch_a : &fork.branch_b) = *inner;
        *inner = graph->op[graph->region[*inner].owner].region;
    }
    return fork;
}

static bool ends_before(const struct stream_lifetimes *lifetimes, const uint32_t *end,
                        uint32_t step)
{
    const struct happens_before *order = lifetimes->order;
    const uint32_t *clock = order->clock + (size_t)step * order->streams;
    for (uint32_t s = 0; s < order->streams; s++)
        if (end[s] > clock[s])
            return false;
    return true;
}

/* What is made in a region of an operator is no longer used when that has been left; which says
   more than its last uses where other branches know less about the streams. */
static bool is_left_before(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                           uint32_t region, uint32_t step)
{
    if (region == 0)
        return false;
    uint32_t owner = graph->region[region].owner;
    return happens_before_is(lifetimes->order, lifetimes->order->leave_step[owner], step);
}

static bool is_before(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                      struct fork fork, const uint32_t tensor[2])
{
    uint32_t born = lifetimes->born_step[tensor[1]];
    return born != STREAM_FROM_START &&
           (ends_before(lifetimes, get_end(lifetimes, tensor[0]), born) ||
            is_left_before(lifetimes, graph, fork.branch_a, born));
}

static bool exclude_each_other(const struct graph *graph, struct fork fork)
{
    uint32_t owner = graph->region[fork.branch_a].owner;
    return fork.branch_a != fork.branch_b && owner != GRAPH_NONE &&
           owner == graph->region[fork.branch_b].owner && !graph->op[owner].loop;
}

/* Whether the second tensor is made in a turn that has read the first, the argument of its loop,
   for the last time, and is used no more when the turn ends, which writes the argument again. */
static bool fits_in_turn(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                         struct fork fork, const uint32_t tensor[2])
{
    uint32_t loop = graph->tensor[tensor[0]].producer;
    if (fork.branch_a || !fork.branch_b || loop != graph->region[fork.branch_b].owner ||
        !graph_find_argument(graph, loop, tensor[0]))
        return false;
    return get_end(lifetimes, tensor[1])[graph->op[loop].stream] <=
               lifetimes->order->leave_step[loop] &&
           ends_before(lifetimes, get_turn_end(lifetimes, tensor[0]),
                       lifetimes->born_step[tensor[1]]);
}

bool stream_lifetimes_conflict(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                               uint32_t a, uint32_t b)
{
    assert(lifetimes->place[a] == a && lifetimes->place[b] == b);
    struct fork fork = find_fork(graph, lifetimes->region[a], lifetimes->region[b]);
    struct fork mirrored = {fork.branch_b, fork.branch_a};
    return !is_before(lifetimes, graph, fork, (const uint32_t[]){a, b}) &&
           !is_before(lifetimes, graph, mirrored, (const uint32_t[]){b, a}) &&
           !exclude_each_other(graph, fork) &&
           !fits_in_turn(lifetimes, graph, fork, (const uint32_t[]){a, b}) &&
           !fits_in_turn(lifetimes, graph, mirrored, (const uint32_t[]){b, a});
}
