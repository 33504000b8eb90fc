#include "heuristics/skyline/contour.h"

#include "core/memory.h"

/* No piece begins there. */
#define NO_PIECE UINT32_MAX

static enum status fill_edge(uint32_t times, struct skyline_edge *edge, struct error *error)
{
    TRY(memory_create(&edge->height, times, sizeof *edge->height, error));
    TRY(memory_create(&edge->end, times, sizeof *edge->end, error));
    TRY(memory_create(&edge->before, times, sizeof *edge->before, error));
    for (uint32_t i = 0; i < times; i++)
        edge->end[i] = NO_PIECE;
    edge->end[0] = times;
    edge->before[0] = NO_PIECE;
    return min_heap_push(&edge->lowest, 0, 0, error);
}

enum status skyline_edge_create(uint32_t times, struct skyline_edge *edge, struct error *error)
{
    *edge = (struct skyline_edge){.times = times};
    enum status status = fill_edge(times, edge, error);
    if (status)
        skyline_edge_free(edge);
    return status;
}

void skyline_edge_free(struct skyline_edge *edge)
{
    memory_free(edge->height);
    memory_free(edge->end);
    memory_free(edge->before);
    min_heap_free(&edge->lowest);
    *edge = (struct skyline_edge){0};
}

struct skyline_piece skyline_edge_lowest(struct skyline_edge *edge)
{
    for (;;) {
        struct min_heap_item top = edge->lowest.item[0];
        if (edge->end[top.value] != NO_PIECE && edge->height[top.value] == top.key)
            return (struct skyline_piece){top.value, edge->end[top.value], top.key};
        (void)min_heap_pop(&edge->lowest);
    }
}

static void set_piece(struct skyline_edge *edge, uint32_t begin, uint32_t end, uint32_t before)
{
    edge->end[begin] = end;
    edge->before[begin] = before;
    if (end < edge->times)
        edge->before[end] = begin;
}

/* The piece takes in the next one if that is as high. */
static void join_next(struct skyline_edge *edge, uint32_t begin)
{
    uint32_t next = edge->end[begin];
    if (next == edge->times || edge->height[next] != edge->height[begin])
        return;
    set_piece(edge, begin, edge->end[next], edge->before[begin]);
    edge->end[next] = NO_PIECE;
}

static enum status settle_piece(struct skyline_edge *edge, uint32_t begin, struct error *error)
{
    join_next(edge, begin);
    uint32_t before = edge->before[begin];
    if (before != NO_PIECE && edge->height[before] == edge->height[begin]) {
        join_next(edge, before);
        begin = before;
    }
    return min_heap_push(&edge->lowest, edge->height[begin], begin, error);
}

enum status skyline_edge_raise(struct skyline_edge *edge, struct skyline_piece piece,
                               uint32_t begin, uint32_t end, uint64_t height, struct error *error)
{
    uint32_t before = edge->before[piece.begin];
    if (piece.begin < begin) {
        set_piece(edge, piece.begin, begin, before);
        before = piece.begin;
    }
    set_piece(edge, begin, end, before);
    edge->height[begin] = height;
    if (end < piece.end) {
        set_piece(edge, end, piece.end, begin);
        edge->height[end] = piece.height;
        TRY(min_heap_push(&edge->lowest, piece.height, end, error));
    }
    return settle_piece(edge, begin, error);
}

enum status skyline_edge_lift(struct skyline_edge *edge, struct skyline_piece piece,
                              struct error *error)
{
    uint32_t before = edge->before[piece.begin];
    uint64_t height = before != NO_PIECE ? edge->height[before] : UINT64_MAX;
    if (piece.end < edge->times && edge->height[piece.end] < height)
        height = edge->height[piece.end];
    edge->height[piece.begin] = height;
    return settle_piece(edge, piece.begin, error);
}
