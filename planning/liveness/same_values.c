#include "planning/liveness/same_values.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

/* Works in rounds. At first, any two results or arguments may have the same value. Each round goes
   once through the operators, in the order in which they are left, and separates results or
   arguments that get different values. For what a branch yields it uses the value of this round;
   for what a turn yields it uses the value of the round before, since a turn yields after
   everything in the body has run. So results and arguments with the same value are never separated,
   and when a round separates nothing, all others have been. */
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
    assert(tensor < finder->graph->tensors && source < finder->graph->tensors);
    return !all[source].external && all[source].device == all[tensor].device;
}

/* An argument has always as many bytes as the graph says. */
static bool fits(const struct finder *finder, uint32_t argument, uint32_t source)
{
    return can_be_same(finder, argument, source) && !finder->varies[source] &&
           finder->bytes[source] == finder->bytes[argument];
}

static uint32_t find_result(const struct finder *finder, uint32_t o, uint32_t output)
{
    const struct graph *graph = finder->graph;
    const uint32_t *result = graph->list + graph->op[o].outputs.first, *same = finder->same;
    assert(graph_has_branches(graph, o) && output < graph->op[o].outputs.count);
    uint32_t known = GRAPH_NONE;
    bool agree = true;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        uint32_t yield = graph_yield(graph, r, output);
        if (graph->tensor[result[output]].external || !can_be_same(finder, result[output], yield))
            return result[output];
        agree = agree && (known == GRAPH_NONE || known == same[yield]);
        known = same[yield];
    }
    if (agree)
        return known;
    for (uint32_t i = 0; i < output; i++) {
        if (same[result[i]] != result[i] || !can_be_same(finder, result[output], result[i]))
            continue;
        bool alike = true;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            alike = alike && same[graph_yield(graph, r, output)] == same[graph_yield(graph, r, i)];
        if (alike)
            return result[i];
    }
    return result[output];
}

static uint32_t find_argument(const struct finder *finder, uint32_t o, uint32_t position)
{
    const struct graph *graph = finder->graph;
    const struct graph_carried *carried = graph->carried + graph->op[o].carried.first;
    const struct graph_carried *value = &carried[position];
    const uint32_t *same = finder->same, *before = finder->before;
    uint32_t argument = value->argument;
    assert(graph->op[o].loop && position < graph->op[o].carried.count);
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
    uint32_t *same = finder->same;
    for (uint32_t last = 0; last < graph->operators; last++) {
        struct span all = graph->op[last].carried;
        assert(!all.count || graph->op[last].loop);
        for (uint32_t c = 0; c < all.count; c++) {
            const struct graph_carried *carried = &graph->carried[all.first + c];
            same[carried->argument] = find_argument(finder, last, c);
            assert(same[same[carried->argument]] == same[carried->argument]);
            same[carried->result] =
                graph->tensor[carried->result].external ? carried->result : same[carried->argument];
        }
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o)) {
            const uint32_t *result = graph->list + graph->op[o].outputs.first;
            for (uint32_t i = 0; i < graph->op[o].outputs.count && graph_has_branches(graph, o);
                 i++) {
                same[result[i]] = find_result(finder, o, i);
                assert(same[same[result[i]]] == same[result[i]]);
            }
        }
    }
}

enum status same_values_create(const struct graph *graph, uint32_t **same, struct error *error)
{
    SCOPED(memory_release) uint32_t *held = NULL, *before = NULL;
    SCOPED(memory_release) uint64_t *bytes = NULL;
    SCOPED(memory_release) bool *varies = NULL;
    bool changed = true;
    TRY(memory_create_all(graph->tensors, error, &held, &before));
    TRY(value_bytes_create(graph, &bytes, error));
    TRY(value_bytes_vary_create(graph, bytes, &varies, error));
    struct finder finder = {graph, bytes, varies, held, before};
    for (uint32_t t = 0; t < graph->tensors; t++)
        held[t] = t;
    while (changed) {
        find_all(&finder);
        changed = memcmp(held, before, graph->tensors * sizeof *held) != 0;
        memcpy(before, held, graph->tensors * sizeof *held);
    }
    HAND_OVER(held, same);
}
