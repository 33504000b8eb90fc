#include "planning/graph/moves.h"

#include "core/memory.h"

struct collector {
    const struct graph *graph;
    struct graph_moves *moves;
    size_t capacity;
    struct error *error;
};

static enum status add(struct collector *collector, struct graph_move move)
{
    struct graph_moves *moves = collector->moves;
    TRY(memory_reserve(&moves->move, &collector->capacity, (size_t)moves->count + 1,
                       sizeof *moves->move, collector->error));
    moves->move[moves->count++] = move;
    return STATUS_OK;
}

static enum status add_branches(struct collector *collector, uint32_t o)
{
    const struct graph *graph = collector->graph;
    struct span outputs = graph->op[o].outputs;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < outputs.count; i++)
            TRY(add(collector, (struct graph_move){graph->list[graph->region[r].yields.first + i],
                                                   graph->list[outputs.first + i], o, r}));
    return STATUS_OK;
}

static bool is_carried(const struct graph *graph, uint32_t o, uint32_t output)
{
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++)
        if (graph->carried[graph->op[o].carried.first + c].result == output)
            return true;
    return false;
}

static enum status add_loop(struct collector *collector, uint32_t o)
{
    const struct graph *graph = collector->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        TRY(add(collector,
                (struct graph_move){carried[c].init, carried[c].argument, o, GRAPH_NONE}));
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (!is_carried(graph, o, output))
            TRY(add(collector, (struct graph_move){GRAPH_NONE, output, o, GRAPH_NONE}));
    }
    for (uint32_t c = 0; c < loop->carried.count; c++)
        TRY(add(collector,
                (struct graph_move){carried[c].yield, carried[c].argument, o, loop->last_region}));
    return STATUS_OK;
}

enum status graph_moves_create(const struct graph *graph, struct graph_moves *moves,
                               struct error *error)
{
    struct collector collector = {graph, moves, 0, error};
    *moves = (struct graph_moves){0};
    TRY(memory_create(&moves->first, (size_t)graph->operators + 1, sizeof *moves->first, error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        moves->first[o] = moves->count;
        if (graph->op[o].loop)
            TRY(add_loop(&collector, o));
        else if (graph->op[o].first_region != GRAPH_NONE)
            TRY(add_branches(&collector, o));
    }
    moves->first[graph->operators] = moves->count;
    return STATUS_OK;
}

void graph_moves_clear(struct graph_moves *moves)
{
    memory_free(moves->move);
    memory_free(moves->first);
    *moves = (struct graph_moves){0};
}

struct span graph_moves_at_once(const struct graph_moves *moves, uint32_t move)
{
    const struct graph_move *all = moves->move;
    uint32_t first = move, end = move + 1;
    while (first > 0 && all[first - 1].o == all[move].o &&
           all[first - 1].region == all[move].region)
        first--;
    while (end < moves->count && all[end].o == all[move].o && all[end].region == all[move].region)
        end++;
    return (struct span){first, end - first};
}
