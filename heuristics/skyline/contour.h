#ifndef MEMPLAN_HEURISTICS_SKYLINE_CONTOUR_H
#define MEMPLAN_HEURISTICS_SKYLINE_CONTOUR_H

#include "core/heap.h"

/* The skyline over the times 0 .. times - 1: pieces [begin, end) of one height, neighbours never of
   the same, the lowest and then the earliest first. A piece is named by where it begins. */
struct skyline_contour {
    uint32_t times;
    uint64_t *height;       /* [times] of the piece that begins there */
    uint32_t *end, *before; /* [times] its end; where the piece before it begins */
    struct heap lowest;     /* pieces by height; those that have changed since are stale */
};

struct skyline_piece {
    uint32_t begin, end;
    uint64_t height;
};

/* One piece of height 0; times is at least 1. */
enum status skyline_contour_create(uint32_t times, struct skyline_contour *contour,
                                   struct error *error);
void skyline_contour_free(struct skyline_contour *contour);

struct skyline_piece skyline_contour_lowest(struct skyline_contour *contour);
/* Raises the times of `raised`, which lie inside the piece, to its height, which is greater. */
enum status skyline_contour_raise(struct skyline_contour *contour, struct skyline_piece piece,
                                  struct skyline_piece raised, struct error *error);
/* Raises a whole piece to the height of its lower neighbour. There is one, as the caller knows that
   the piece is not the whole contour. */
enum status skyline_contour_lift(struct skyline_contour *contour, struct skyline_piece piece,
                                 struct error *error);

#endif
