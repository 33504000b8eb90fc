#include "heuristics/skyline/contour.h"

#include <assert.h>

/* marks a time at which no piece begins */
#define NO_PIECE UINT32_MAX

enum status skyline_contour_create(uint32_t times, struct skyline_contour *contour,
                                   struct scratch *scratch, struct error *error)
{
    *contour = (struct skyline_contour){.times = times};
    TRY(scratch_take_all(scratch, times, error, &contour->height, &contour->end, &contour->before));
    for (uint32_t i = 0; i < times; i++)
        contour->end[i] = NO_PIECE;
    contour->end[0] = times;
    contour->before[0] = NO_PIECE;
    return heap_push(&contour->lowest, 0, 0, error);
}

struct skyline_piece skyline_contour_lowest(struct skyline_contour *contour)
{
    for (;;) {
        assert(contour->lowest.count > 0);
        struct heap_item top = contour->lowest.item[0];
        if (contour->end[top.value] != NO_PIECE && contour->height[top.value] == top.key)
            return (struct skyline_piece){top.value, contour->end[top.value], top.key};
        (void)heap_pop(&contour->lowest);
    }
}

static void set_piece(struct skyline_contour *contour, uint32_t begin, uint32_t end,
                      uint32_t before)
{
    contour->end[begin] = end;
    contour->before[begin] = before;
    if (end < contour->times)
        contour->before[end] = begin;
}

/* Joins a piece with the next one if both are equally high. */
static void join_next(struct skyline_contour *contour, uint32_t begin)
{
    uint32_t next = contour->end[begin];
    if (next == contour->times || contour->height[next] != contour->height[begin])
        return;
    set_piece(contour, begin, contour->end[next], contour->before[begin]);
    contour->end[next] = NO_PIECE;
}

static enum status settle_piece(struct skyline_contour *contour, uint32_t begin,
                                struct error *error)
{
    join_next(contour, begin);
    uint32_t before = contour->before[begin];
    if (before != NO_PIECE && contour->height[before] == contour->height[begin]) {
        join_next(contour, before);
        begin = before;
    }
    return heap_push(&contour->lowest, contour->height[begin], begin, error);
}

enum status skyline_contour_raise(struct skyline_contour *contour, struct skyline_piece piece,
                                  struct skyline_piece raised, struct error *error)
{
    uint32_t before = contour->before[piece.begin];
    assert(piece.begin <= raised.begin && raised.begin < raised.end && raised.end <= piece.end);
    assert(raised.height > piece.height);
    if (piece.begin < raised.begin) {
        set_piece(contour, piece.begin, raised.begin, before);
        before = piece.begin;
    }
    set_piece(contour, raised.begin, raised.end, before);
    contour->height[raised.begin] = raised.height;
    if (raised.end < piece.end) {
        set_piece(contour, raised.end, piece.end, raised.begin);
        contour->height[raised.end] = piece.height;
        TRY(heap_push(&contour->lowest, piece.height, raised.end, error));
    }
    return settle_piece(contour, raised.begin, error);
}

enum status skyline_contour_lift(struct skyline_contour *contour, struct skyline_piece piece,
                                 struct error *error)
{
    uint32_t before = contour->before[piece.begin];
    uint64_t height = before != NO_PIECE ? contour->height[before] : UINT64_MAX;
    if (piece.end < contour->times && contour->height[piece.end] < height)
        height = contour->height[piece.end];
    assert(height > piece.height && height != UINT64_MAX);
    contour->height[piece.begin] = height;
    return settle_piece(contour, piece.begin, error);
}
