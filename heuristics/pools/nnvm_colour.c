#include "heuristics/pools/nnvm_colour.h"

#include <assert.h>

struct path_search {
    const struct graph *graph;
    uint32_t *weight; /* [operators] 1 until the operator has a colour, then 0 */
    uint32_t *reward; /* [operators] the weight of the best path that begins there */
    uint32_t *next;   /* [operators] the next operator on that path, or GRAPH_NONE */
};

static void offer_path(struct path_search *search, uint32_t o, uint32_t tensor)
{
    uint32_t producer = search->graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || producer >= o || search->reward[o] <= search->reward[producer])
        return;
    search->reward[producer] = search->reward[o];
    search->next[producer] = o;
}

static uint32_t find_best_path(struct path_search *search)
{
    const struct graph *graph = search->graph;
    uint32_t best = GRAPH_NONE, most = 0;
    for (uint32_t o = 0; o < graph->operators; o++) {
        search->reward[o] = 0;
        search->next[o] = GRAPH_NONE;
    }
    for (uint32_t o = graph->operators; o-- > 0;) {
        const struct graph_operator *op = &graph->op[o];
        search->reward[o] += search->weight[o];
        if (search->reward[o] > most) {
            most = search->reward[o];
            best = o;
        }
        for (uint32_t i = 0; i < op->inputs.count; i++)
            offer_path(search, o, graph->list[op->inputs.first + i]);
        for (uint32_t i = 0; i < op->ignored.count; i++)
            offer_path(search, o, graph->list[op->ignored.first + i]);
        for (uint32_t i = 0; i < op->carried.count; i++)
            offer_path(search, o, graph->carried[op->carried.first + i].init);
    }
    return best;
}

enum status nnvm_colour(const struct graph *graph, uint32_t colours, uint32_t *colour,
                        struct scratch *scratch, struct error *error)
{
    struct path_search search = {.graph = graph};
    uint32_t group = 0, o;
    assert(colours > 0);
    TRY(scratch_take_all(scratch, graph->operators, error, &search.weight, &search.reward,
                         &search.next));
    for (o = 0; o < graph->operators; o++)
        search.weight[o] = 1;
    for (; group + 1 < colours && (o = find_best_path(&search)) != GRAPH_NONE; group++)
        for (; o != GRAPH_NONE; o = search.next[o]) {
            if (search.weight[o])
                colour[o] = group;
            search.weight[o] = 0;
        }
    for (o = 0; o < graph->operators; o++)
        if (search.weight[o])
            colour[o] = group;
    return STATUS_OK;
}
