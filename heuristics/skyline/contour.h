#ifndef MEMPLAN_HEURISTICS_SKYLINE_CONTOUR_H
#define MEMPLAN_HEURISTICS_SKYLINE_CONTOUR_H

#include "core/heap.h"
#include "core/scratch.h"

/* The skyline over the times 0 .. times - 1 as pieces [begin, end) of one height, where neighbours
   always differ in height. It finds the lowest piece, the earliest of equals. A piece is named by
   the time at which it begins. */
struct skyline_contour {
    uint32_t times;
    uint64_t *height; /* [times] the height of the piece that begins at the time */
    /* [times] the end of that piece, and where the piece before it begins */
    uint32_t *end, *before;
    /* Pieces by height; entries of pieces that have changed since are skipped. */
    struct heap lowest;
};

struct skyline_piece {
    uint32_t begin, end;
    uint64_t height;
};

/* Makes a skyline of one piece of height 0; times is at least 1. The caller frees
   contour->lowest. */
enum status skyline_contour_create(uint32_t times, struct skyline_contour *contour,
                                   struct scratch *scratch, struct error *error);

/* The lowest piece, the earliest of equals. O(log pieces) amortised. */
struct skyline_piece skyline_contour_lowest(struct skyline_contour *contour);
/* Raises the part `raised` of a piece to the height of `raised`, which is greater. */
enum status skyline_contour_raise(struct skyline_contour *contour, struct skyline_piece piece,
                                  struct skyline_piece raised, struct error *error);
/* Raises a whole piece to the height of its lower neighbour. The caller makes sure that the piece
   has a neighbour. */
enum status skyline_contour_lift(struct skyline_contour *contour, struct skyline_piece piece,
                                 struct error *error);

#endif
