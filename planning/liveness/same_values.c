#include "planning/liveness/same_values.h"

#include <string.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

/* Round by round. In the first, any two results or arguments may have the same value. Each round
   goes once through the operators in the order in which they are left and takes those apart of
   which one gets what the other does not: of what a branch yields it knows this round's value, of
   what a turn yields that of the round before, as a turn yields it after everything in the body was
   looked at. So no two are taken apart that have the same value, and when a round finds nothing
   new, no two others are together. */
struct finder {
    const struct graph *graph;
    uint64_t *bytes;  /* [tensors] */
    bool *varies;     /* [tensors] whose values have fewer bytes on some paths */
    uint32_t *same;   /* [tensors] the first that has the value, as this round says */
    uint32_t *before; /* [tensors] as the round before said */
};

static bool can_be_same(const struct finder *finder, uint32_t tensor, uint32_t source)
{
    const struct graph_tensor *all = finder->graph->tensor;
    return !all[source].external && all[source].device == all[tensor].device;
}

/* An argument has always as many bytes as the graph says. */
static bool fits(const struct finder *finder, uint32_t argument, uint32_t source)
{
    return can_be_same(finder, argument, source) && !finder->varies[source] &&
           finder->bytes[source] == finder->bytes[argument];
}

/* Whether all branches yield the same for two outputs of the operator. */
static bool are_yielded_alike(const struct finder *finder, uint32_t o, uint32_t output,
                              uint32_t other)
{
    const struct graph *graph = finder->graph;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        if (finder->same[graph_yield(graph, r, output)] !=
            finder->same[graph_yield(graph, r, other)])
            return false;
    return true;
}

static uint32_t find_result(const struct finder *finder, uint32_t o, uint32_t output)
{
    const struct graph *graph = finder->graph;
    const uint32_t *result = graph->list + graph->op[o].outputs.first;
    uint32_t known = GRAPH_NONE;
    bool agree = true;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint32_t yield = graph_yield(graph, r, output);
        if (graph->tensor[result[output]].external || !can_be_same(finder, result[output], yield))
            return result[output];
        agree = agree && (known == GRAPH_NONE || known == finder->same[yield]);
        known = finder->same[yield];
    }
    for (uint32_t i = 0; i < output && !agree; i++)
        if (finder->same[result[i]] == result[i] &&
            can_be_same(finder, result[output], result[i]) &&
            are_yielded_alike(finder, o, output, i))
            return result[i];
    return agree ? known : result[output];
}

static uint32_t find_argument(const struct finder *finder, uint32_t o, uint32_t position)
{
    const struct graph *graph = finder->graph;
    const struct graph_carried *carried = graph->carried + graph->op[o].carried.first;
    const struct graph_carried *value = &carried[position];
    const uint32_t *same = finder->same, *before = finder->before;
    uint32_t argument = value->argument;
    if (graph->tensor[argument].external || !fits(finder, argument, value->init) ||
        !fits(finder, argument, value->yield))
        return argument;
    if (before[argument] == before[value->init] && before[argument] == before[value->yield])
        return same[value->init];
    for (uint32_t c = 0; c < position; c++)
        if (same[carried[c].argument] == carried[c].argument &&
            before[carried[c].argument] == before[argument] &&
            same[carried[c].init] == same[value->init] &&
            before[carried[c].yield] == before[value->yield] &&
            fits(finder, carried[c].argument, value->yield) &&
            can_be_same(finder, argument, carried[c].argument))
            return carried[c].argument;
    return argument;
}

/* Goes through the operators in the order in which they are left, so that all sources of results
   are known before these, but looks at the arguments of a loop when that is entered. */
static void find_all(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    for (uint32_t last = 0; last < graph->operators; last++) {
        for (uint32_t c = 0; c < graph->op[last].carried.count; c++) {
            const struct graph_carried *carried =
                &graph->carried[graph->op[last].carried.first + c];
            finder->same[carried->argument] = find_argument(finder, last, c);
            finder->same[carried->result] = graph->tensor[carried->result].external
                                                ? carried->result
                                                : finder->same[carried->argument];
        }
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o))
            for (uint32_t i = 0; i < graph->op[o].outputs.count && graph_has_branches(graph, o);
                 i++)
                finder->same[graph->list[graph->op[o].outputs.first + i]] =
                    find_result(finder, o, i);
    }
}

enum status same_values_create(const struct graph *graph, uint32_t **same, struct error *error)
{
    struct finder finder = {.graph = graph};
    enum status status;
    bool changed = true;
    TRY_OR_DONE(status, memory_create(&finder.same, graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&finder.before, graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, value_bytes_create(graph, &finder.bytes, error));
    TRY_OR_DONE(status, value_bytes_vary_create(graph, finder.bytes, &finder.varies, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        finder.same[t] = t;
    while (changed) {
        find_all(&finder);
        changed = memcmp(finder.same, finder.before, graph->tensors * sizeof(uint32_t)) != 0;
        memcpy(finder.before, finder.same, graph->tensors * sizeof(uint32_t));
    }
    *same = finder.same;
    finder.same = NULL;
done:
    memory_free(finder.same);
    memory_free(finder.before);
    memory_free(finder.bytes);
    memory_free(finder.varies);
    return status;
}
