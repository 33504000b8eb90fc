#include "planning/memories/traffic.h"

#include <assert.h>
#include <math.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

struct counting {
    const struct graph *graph;
    const struct placement *placement;
    double *runs;           /* [operators] how often each runs on average */
    double *reads, *writes; /* [tensors] how often all of it is read, or written */
};

static void clear_counting(struct counting *counting)
{
    memory_free_all(counting->runs, counting->reads, counting->writes);
}

/* What the branches with a probability leave of 1 is shared equally by those without one. */
static double find_share(const struct graph *graph, uint32_t owner)
{
    double left = 1;
    uint32_t open = 0;
    for (uint32_t r = graph->op[owner].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        open += graph->region[r].probability < 0;
        left -= graph->region[r].probability < 0 ? 0 : graph->region[r].probability;
    }
    assert(open > 0); /* a branch without a probability asks */
    return left > 0 ? left / open : 0;
}

/* How often a region runs for each run of its owner. */
static double find_turns(const struct graph *graph, uint32_t region)
{
    uint32_t owner = graph->region[region].owner;
    const struct graph_operator *op = &graph->op[owner];
    if (op->loop)
        return op->trip_count < 0 ? 1 : (double)op->trip_count;
    return graph->region[region].probability < 0 ? find_share(graph, owner)
                                                 : graph->region[region].probability;
}

void traffic_count_runs(const struct graph *graph, double *runs)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t region = graph->op[o].region, owner = graph->region[region].owner;
        assert(owner == GRAPH_NONE || owner < o);
        runs[o] = owner == GRAPH_NONE ? 1 : runs[owner] * find_turns(graph, region);
    }
}

/* Reads of a result without a place of its own are reads of where it is: for a loop of its
   argument, for an If of what the branch that was taken yields, which has a place or is such a
   result too. */
static void hand_down(const struct counting *counting, uint32_t owner)
{
    const struct graph *graph = counting->graph;
    const struct graph_operator *op = &graph->op[owner];
    assert(op->first_region != GRAPH_NONE);
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t result = graph->list[op->outputs.first + i];
        const struct graph_carried *carried = graph_find_carried_result(graph, owner, result);
        double times = counting->reads[result];
        if (counting->placement->offset[result] != PROBLEM_FREE || graph->tensor[result].external)
            continue;
        if (carried)
            counting->reads[carried->argument] += times;
        for (uint32_t r = op->first_region; r != GRAPH_NONE && !op->loop; r = graph->region[r].next)
            counting->reads[graph_yield(graph, r, i)] += times * find_turns(graph, r);
    }
}

/* Whether an output of the operator is a view that lies on this input: it then reads nothing. */
static bool is_viewed(const struct counting *counting, const struct graph_operator *op,
                      uint32_t input)
{
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t output = counting->graph->list[op->outputs.first + i];
        if (counting->placement->is_view[output] &&
            counting->placement->overwrites[output] == input)
            return true;
    }
    return false;
}

static void count_operator(const struct counting *counting, uint32_t o)
{
    const struct graph *graph = counting->graph;
    const struct graph_operator *op = &graph->op[o];
    const uint32_t *input = graph->list + op->inputs.first;
    const uint32_t *output = graph->list + op->outputs.first;
    for (uint32_t i = 0; i < op->inputs.count; i++) {
        struct span before = {op->inputs.first, i};
        if (graph_position(graph, before, input[i]) == i && !is_viewed(counting, op, input[i]))
            counting->reads[input[i]] += counting->runs[o];
    }
    for (uint32_t i = 0; i < op->outputs.count && op->first_region == GRAPH_NONE; i++)
        if (!counting->placement->is_view[output[i]])
            counting->writes[output[i]] += counting->runs[o];
}

/* The nearest whole number; halves go up even where adding probabilities has left a little less. */
static uint64_t scale(double times, uint64_t bytes)
{
    double exact = times * (double)bytes;
    assert(times >= 0);
    double whole = floor(exact + 0.5 + fmin(exact * 1e-12, 1e-3));
    return whole < 0x1p62 ? (uint64_t)whole : (uint64_t)1 << 62;
}

enum status tensor_traffic_create(const struct graph *graph, const struct placement *placement,
                                  struct tensor_traffic *traffic, struct error *error)
{
    SCOPED(clear_counting) struct counting counting = {graph, placement, .runs = NULL};
    SCOPED(memory_release) uint32_t *left = NULL;
    SCOPED(memory_release) uint64_t *bytes = NULL;
    *traffic = (struct tensor_traffic){.read_bytes = NULL};
    assert(placement->tensors == graph->tensors);
    TRY(memory_create(&counting.runs, graph->operators, sizeof(double), error));
    TRY(memory_create_all(graph->tensors, error, &counting.reads, &counting.writes));
    TRY(value_bytes_create(graph, &bytes, error));
    TRY(memory_create(&left, graph->operators, sizeof *left, error));
    TRY(memory_create_all(graph->tensors, error, &traffic->read_bytes, &traffic->write_bytes));
    traffic_count_runs(graph, counting.runs);
    for (uint32_t o = 0; o < graph->operators; o++)
        count_operator(&counting, o);
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        counting.writes[graph->list[graph->inputs.first + i]] += 1;
    for (uint32_t i = 0; i < graph->region[0].yields.count; i++)
        counting.reads[graph->list[graph->region[0].yields.first + i]] += 1;
    for (uint32_t i = graph_list_left(graph, left); i-- > 0;)
        hand_down(&counting, left[i]);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        bool placed = placement->offset[t] != PROBLEM_FREE;
        traffic->read_bytes[t] = placed ? scale(counting.reads[t], bytes[t]) : 0;
        traffic->write_bytes[t] = placed ? scale(counting.writes[t], bytes[t]) : 0;
    }
    return STATUS_OK;
}

void tensor_traffic_free(struct tensor_traffic *traffic)
{
    memory_free_all(traffic->read_bytes, traffic->write_bytes);
    *traffic = (struct tensor_traffic){.read_bytes = NULL};
}
