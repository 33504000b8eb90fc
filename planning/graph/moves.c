#include "planning/graph/moves.h"

#include <assert.h>

#include "core/memory.h"

static enum status add(struct graph_moves *moves, size_t *capacity, struct graph_move move,
                       struct error *error)
{
    TRY(memory_reserve(&moves->move, capacity, (size_t)moves->count + 1, sizeof *moves->move,
                       error));
    assert(move.target != GRAPH_NONE);
    moves->move[moves->count++] = move;
    return STATUS_OK;
}

static enum status add_loop(const struct graph *graph, uint32_t o, struct graph_moves *moves,
                            size_t *capacity, struct error *error)
{
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    assert(loop->loop && loop->first_region != GRAPH_NONE);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        TRY(add(moves, capacity,
                (struct graph_move){carried[c].init, carried[c].argument, o, GRAPH_NONE}, error));
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (!graph_find_carried_result(graph, o, output))
            TRY(add(moves, capacity, (struct graph_move){GRAPH_NONE, output, o, GRAPH_NONE},
                    error));
    }
    for (uint32_t c = 0; c < loop->carried.count; c++)
        TRY(add(moves, capacity,
                (struct graph_move){carried[c].yield, carried[c].argument, o, loop->last_region},
                error));
    return STATUS_OK;
}

enum status graph_moves_create(const struct graph *graph, struct graph_moves *moves,
                               struct error *error)
{
    size_t capacity = 0;
    *moves = (struct graph_moves){0};
    TRY(memory_create(&moves->first, (size_t)graph->operators + 1, sizeof *moves->first, error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->op[o].outputs;
        if (graph->op[o].loop)
            TRY(add_loop(graph, o, moves, &capacity, error));
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE && !graph->op[o].loop;
             r = graph->region[r].next)
            for (uint32_t i = 0; i < outputs.count; i++) {
                const struct graph_move move = {graph_yield(graph, r, i),
                                                graph->list[outputs.first + i], o, r};
                TRY(add(moves, &capacity, move, error));
            }
        moves->first[o + 1] = moves->count;
        assert(moves->count >= moves->first[o]);
    }
    return STATUS_OK;
}

void graph_moves_clear(struct graph_moves *moves)
{
    memory_free_all(moves->move, moves->first);
    *moves = (struct graph_moves){0};
}

struct span graph_moves_at_once(const struct graph_moves *moves, uint32_t move)
{
    const struct graph_move *all = moves->move;
    uint32_t first = move, end = move + 1;
    assert(move < moves->count);
    while (first > 0 && all[first - 1].o == all[move].o &&
           all[first - 1].region == all[move].region)
        first--;
    while (end < moves->count && all[end].o == all[move].o && all[end].region == all[move].region)
        end++;
    return (struct span){first, end - first};
}
