#include "planning/liveness/stream_lifetimes.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/ways.h"

static uint32_t *get_end(const struct stream_lifetimes *lifetimes, uint32_t tensor)
{
    return lifetimes->end + (size_t)tensor * lifetimes->order->streams;
}

/* The same for the tensor's uses in a turn of the loop whose argument it is. */
static uint32_t *get_turn_end(const struct stream_lifetimes *lifetimes, uint32_t tensor)
{
    return lifetimes->turn_end + (size_t)tensor * lifetimes->order->streams;
}

static void use_at(struct stream_lifetimes *lifetimes, uint32_t tensor, uint32_t step)
{
    assert(step < lifetimes->order->steps);
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
        assert(owner < graph->operators);
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
    assert(lifetimes->place[tensor] == GRAPH_NONE);
    lifetimes->place[tensor] = tensor;
    lifetimes->born_step[tensor] = step;
    if (step != STREAM_FROM_START)
        use_at(lifetimes, tensor, step);
}

static void find_lifetimes(struct stream_lifetimes *lifetimes, const struct graph *graph,
                           const bool *reached)
{
    const struct uses uses = {lifetimes, graph, reached};
    const struct happens_before *order = lifetimes->order;
    struct span inputs = graph->inputs, outputs = graph->region[0].yields;
    for (uint32_t t = 0; t < graph->tensors; t++)
        lifetimes->place[t] = GRAPH_NONE;
    for (uint32_t i = 0; i < inputs.count; i++)
        make_tensor(lifetimes, graph, graph->list[inputs.first + i], STREAM_FROM_START);

    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        if (!reached[op->region])
            continue;
        /* Outputs of a loop are filled turn by turn, so they are written from entering it on. */
        uint32_t leave = order->leave_step[o], step = op->loop ? order->enter_step[o] : leave;
        assert(order->enter_step[o] <= leave && leave < order->steps);
        for (uint32_t i = 0; i < op->outputs.count; i++) {
            uint32_t tensor = graph->list[op->outputs.first + i];
            lifetimes->region[tensor] = op->region;
            make_tensor(lifetimes, graph, tensor, step);
            use_at(lifetimes, tensor, leave);
        }
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
            uint32_t argument = graph->carried[c].argument, result = graph->carried[c].result;
            assert(op->loop && graph->tensor[argument].producer == o);
            lifetimes->region[argument] = op->region;
            make_tensor(lifetimes, graph, argument, step);
            use_at(lifetimes, argument, leave);
            if (!graph->tensor[result].external)
                lifetimes->place[result] = argument;
        }
    }

    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t enter = order->enter_step[o], leave = order->leave_step[o];
        for (uint32_t i = 0; i < op->inputs.count; i++)
            use_tensor(&uses, graph->list[op->inputs.first + i], enter, op->region);
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
            use_tensor(&uses, graph->carried[c].init, enter, op->region);
            use_tensor(&uses, graph->carried[c].yield, leave, op->first_region);
        }
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
                use_tensor(&uses, graph_yield(graph, r, i), leave, r);
    }
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t place = lifetimes->place[graph->list[outputs.first + i]];
        if (place != GRAPH_NONE)
            memset(get_end(lifetimes, place), 0xff, order->streams * sizeof *lifetimes->end);
    }
}

enum status stream_lifetimes_create(const struct graph *graph, const uint32_t *way,
                                    struct stream_lifetimes **created, struct error *error)
{
    SCOPED(stream_lifetimes_release) struct stream_lifetimes *lifetimes = NULL;
    SCOPED(memory_release) bool *reached = NULL;
    TRY(memory_create(&reached, graph->regions, sizeof *reached, error));
    TRY(memory_create(&lifetimes, 1, sizeof *lifetimes, error));
    TRY(happens_before_create(graph, way, &lifetimes->order, error));
    uint32_t **per_tensor[] = {&lifetimes->place, &lifetimes->born_step, &lifetimes->region,
                               &lifetimes->end, &lifetimes->turn_end};
    for (int i = 0; i < (graph->carried_count ? 5 : 4); i++)
        TRY(scratch_take(&lifetimes->memory, per_tensor[i], graph->tensors,
                         (i < 3 ? 1 : lifetimes->order->streams) * sizeof(uint32_t), error));
    graph_mark_reached(graph, way, reached);
    find_lifetimes(lifetimes, graph, reached);
    HAND_OVER(lifetimes, created);
}

void stream_lifetimes_free(struct stream_lifetimes *lifetimes)
{
    if (!lifetimes)
        return;
    happens_before_free(lifetimes->order);
    scratch_free(&lifetimes->memory);
    memory_free(lifetimes);
}

/* For two regions a and b: the regions around them (or themselves) that are right inside the
   innermost region that holds both; 0 where one of them is this region itself. A region is numbered
   after all regions around it. */
struct fork {
    uint32_t branch_a, branch_b;
};

static struct fork find_fork(const struct graph *graph, uint32_t a, uint32_t b)
{
    struct fork fork = {0, 0};
    while (a != b) {
        bool leaves_a = a > b;
        assert(a < graph->regions && b < graph->regions);
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
    assert(step < order->steps);
    const uint32_t *clock = order->clock + (size_t)step * order->streams;
    for (uint32_t s = 0; s < order->streams; s++)
        if (end[s] > clock[s])
            return false;
    return true;
}

/* When an operator has been left, what was made in its regions is no longer used. That may say more
   than the last uses themselves, where other branches know less about the streams. */
static bool is_before(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                      struct fork fork, const uint32_t tensor[2])
{
    uint32_t born = lifetimes->born_step[tensor[1]], owner = graph->region[fork.branch_a].owner;
    if (born == STREAM_FROM_START)
        return false;
    assert(born < lifetimes->order->steps && (fork.branch_a == 0) == (owner == GRAPH_NONE));
    return ends_before(lifetimes, get_end(lifetimes, tensor[0]), born) ||
           (owner != GRAPH_NONE &&
            happens_before_is(lifetimes->order, lifetimes->order->leave_step[owner], born));
}

/* Whether the second tensor is made in a turn that has read the first, the argument of its loop,
   for the last time, and is used no more when the turn ends, which writes the argument again. */
static bool fits_in_turn(const struct stream_lifetimes *lifetimes, const struct graph *graph,
                         struct fork fork, const uint32_t tensor[2])
{
    uint32_t loop = graph->tensor[tensor[0]].producer;
    assert(tensor[0] != tensor[1]);
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
    uint32_t owner = graph->region[fork.branch_a].owner;
    bool exclude_each_other = fork.branch_a != fork.branch_b && owner != GRAPH_NONE &&
                              owner == graph->region[fork.branch_b].owner && !graph->op[owner].loop;
    return !exclude_each_other && !is_before(lifetimes, graph, fork, (const uint32_t[]){a, b}) &&
           !is_before(lifetimes, graph, mirrored, (const uint32_t[]){b, a}) &&
           !fits_in_turn(lifetimes, graph, fork, (const uint32_t[]){a, b}) &&
           !fits_in_turn(lifetimes, graph, mirrored, (const uint32_t[]){b, a});
}
