#ifndef MEMPLAN_HARNESS_LAYOUT_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_LAYOUT_H

#include <stdbool.h>

#include "core/error.h"
#include "planning/graph/graph.h"
#include "planning/plan/extents.h"

/* A plan as rectangles of steps and bytes, whatever it was made from: one for each extent of each
   live segment of a buffer or tensor with a place, as wide as the bytes that it uses there, and one
   for each block that the regions of an operator share. Only time steps count (see problem.h). A
   buffer that is live at conflict steps alone is timeless: its rectangles lie behind the last time
   step, in columns in which no two of them that conflict share bytes. */
struct layout_rectangle {
    const char *label; /* borrowed from the instance */
    uint32_t item;     /* number of the buffer or tensor; for a block, of its operator */
    uint32_t lower, upper;
    uint64_t offset, size;
    uint32_t group; /* 0 for the outer level, else the region that holds it */
    bool block;
    bool timeless;
};

/* Zero-initialise it; free it also after a failure. */
struct layout {
    uint32_t count;
    struct layout_rectangle *rectangle;
    size_t capacity;
    /* Rectangles of branches that exclude each other may overlap in steps and bytes. */
    bool overlaps;
};

/* Adds a rectangle. O(1) amortised. */
enum status layout_add(struct layout *layout, struct layout_rectangle rectangle,
                       struct error *error);

/* Adds a copy of the rectangle for each extent of the walk, with the extent's bytes. */
enum status layout_add_extents(struct layout *layout, struct layout_rectangle rectangle,
                               struct extents_walk walk, struct error *error);

/* The region that holds the producer of a tensor, 0 where it has no producer. */
uint32_t layout_region(const struct graph *graph, uint32_t tensor);

void layout_free(struct layout *layout);

#endif
