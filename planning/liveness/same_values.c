#include "planning/liveness/same_values.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

/* At first nothing is known of the value of any result or argument. Again and again, each is taken
   to have the value on which all its known sources agree, or a value of its own where they do not,
   until nothing changes. A tensor with a value of its own keeps it, and only such a tensor makes
   others change what they were taken for, so this ends. */
enum { UNKNOWN = GRAPH_NONE };

struct finder {
    const struct graph *graph;
    uint64_t *bytes; /* [tensors] */
    bool *varies;    /* [tensors] whose values have fewer bytes on some paths */
    uint32_t *same; /* [tensors] which made the value; at first UNKNOWN for results and arguments */
    bool changed;
};

static void set_unknown(struct finder *finder, uint32_t tensor)
{
    if (!finder->graph->tensor[tensor].external)
        finder->same[tensor] = UNKNOWN;
}

static void start(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    for (uint32_t t = 0; t < graph->tensors; t++)
        finder->same[t] = t;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *owner = &graph->op[o];
        for (uint32_t i = 0; i < owner->outputs.count && !owner->loop; i++)
            if (owner->first_region != GRAPH_NONE)
                set_unknown(finder, graph->list[owner->outputs.first + i]);
    }
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        set_unknown(finder, graph->carried[c].argument);
        set_unknown(finder, graph->carried[c].result);
    }
}

static bool can_be_same(const struct finder *finder, uint32_t tensor, uint32_t source)
{
    const struct graph_tensor *all = finder->graph->tensor;
    return !all[source].external && all[source].device == all[tensor].device &&
           !finder->varies[source] && finder->bytes[source] == finder->bytes[tensor];
}

/* What is known of the tensor's value with one more of its sources, where `known` is what the
   sources before it agree on. */
static uint32_t agree(const struct finder *finder, uint32_t tensor, uint32_t known, uint32_t source)
{
    uint32_t value = finder->same[source];
    if (value == UNKNOWN)
        return known;
    if (known != UNKNOWN && known != value)
        return tensor;
    return can_be_same(finder, tensor, source) ? value : tensor;
}

static void settle(struct finder *finder, uint32_t tensor, uint32_t known)
{
    if (known == finder->same[tensor] || finder->same[tensor] == tensor ||
        finder->graph->tensor[tensor].external)
        return;
    finder->same[tensor] = known;
    finder->changed = true;
}

static void find_results(struct finder *finder, uint32_t o)
{
    const struct graph *graph = finder->graph;
    for (uint32_t i = 0; i < graph->op[o].outputs.count; i++) {
        uint32_t result = graph->list[graph->op[o].outputs.first + i], known = UNKNOWN;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            known = agree(finder, result, known, graph->list[graph->region[r].yields.first + i]);
        settle(finder, result, known);
    }
}

static void find_carried(struct finder *finder, uint32_t o)
{
    const struct graph *graph = finder->graph;
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[graph->op[o].carried.first + c];
        uint32_t known = agree(finder, carried->argument, UNKNOWN, carried->init);
        known = agree(finder, carried->argument, known, carried->yield);
        settle(finder, carried->argument, known);
        settle(finder, carried->result, finder->same[carried->argument]);
    }
}

/* Finds the values of what the operator leaves behind: of its results, and of what it carries. */
static void find_left(struct finder *finder, uint32_t o)
{
    if (finder->graph->op[o].loop)
        find_carried(finder, o);
    else
        find_results(finder, o);
}

/* Goes through the operators in the order in which they are left, so that the sources of most
   results are known before them. Arguments are also looked at when their loop is entered, before
   the operators that read them. */
static void find_all(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    finder->changed = false;
    for (uint32_t last = 0; last < graph->operators; last++) {
        find_carried(finder, last);
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph->region[graph->op[o].region].owner)
            if (graph->op[o].first_region != GRAPH_NONE)
                find_left(finder, o);
    }
}

enum status same_values_create(const struct graph *graph, uint32_t **same, struct error *error)
{
    struct finder finder = {.graph = graph, .changed = true};
    enum status status;
    TRY_OR_DONE(status, memory_create(&finder.same, graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, value_bytes_create(graph, &finder.bytes, error));
    TRY_OR_DONE(status, value_bytes_vary_create(graph, finder.bytes, &finder.varies, error));
    start(&finder);
    while (finder.changed)
        find_all(&finder);
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (finder.same[t] == UNKNOWN)
            finder.same[t] = t;
    *same = finder.same;
    finder.same = NULL;
done:
    memory_free(finder.same);
    memory_free(finder.bytes);
    memory_free(finder.varies);
    return status;
}
