#include "planning/graph/moves.h"

#include <assert.h>

#include "core/memory.h"

static void add(struct graph_moves *moves, struct graph_move move)
{
    moves->move[moves->count++] = move;
}

static void add_branches(const struct graph *graph, uint32_t o, struct graph_moves *moves)
{
    struct span outputs = graph->op[o].outputs;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < outputs.count; i++)
            add(moves, (struct graph_move){graph_yield(graph, r, i), graph->list[outputs.first + i],
                                           o, r});
}

static void add_loop(const struct graph *graph, uint32_t o, struct graph_moves *moves)
{
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        add(moves, (struct graph_move){carried[c].init, carried[c].argument, o, GRAPH_NONE});
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (!graph_find_carried_result(graph, o, output))
            add(moves, (struct graph_move){GRAPH_NONE, output, o, GRAPH_NONE});
    }
    for (uint32_t c = 0; c < loop->carried.count; c++)
        add(moves,
            (struct graph_move){carried[c].yield, carried[c].argument, o, loop->last_region});
}

/* How many moves there are at most: each output of a loop may be one that is not carried. */
static size_t count_most_moves(const struct graph *graph)
{
    size_t most = 2 * (size_t)graph->carried_count;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].loop)
            most += graph->op[o].outputs.count;
    for (uint32_t r = 1; r < graph->regions; r++)
        if (!graph->op[graph->region[r].owner].loop)
            most += graph->region[r].yields.count;
    return most;
}

enum status graph_moves_create(const struct graph *graph, struct graph_moves *moves,
                               struct error *error)
{
    size_t most = count_most_moves(graph);
    *moves = (struct graph_moves){0};
    TRY(memory_create(&moves->first, (size_t)graph->operators + 1, sizeof *moves->first, error));
    TRY(memory_create(&moves->move, most, sizeof *moves->move, error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        moves->first[o] = moves->count;
        if (graph->op[o].loop)
            add_loop(graph, o, moves);
        else
            add_branches(graph, o, moves);
    }
    assert(moves->count <= most);
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
