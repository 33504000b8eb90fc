#ifndef MEMPLAN_HARNESS_LAYOUT_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_LAYOUT_H

#include "harness/job/job.h"

/* A plan as rectangles of steps and bytes, whatever it was made from: one for each extent of each
   live segment of a buffer or tensor with a place, as wide as the bytes that it uses there, and one
   for each block that regions share. Steps behind the line's end (see problem.h) are no time and
   have none, but for buffers that are live at no moment: these lie behind the line, in columns in
   which no two of them that conflict share bytes. */
struct layout_rectangle {
    const char *label; /* borrowed from the instance */
    uint32_t item;     /* buffer, tensor or, of a block, operator */
    uint32_t lower, upper;
    uint64_t offset, size;
    uint32_t group; /* 0 for the outer level, else the region that holds it */
    bool block;
    bool timeless; /* of a buffer that is live at no moment */
};

struct layout {
    uint32_t count;
    struct layout_rectangle *rectangle;
    size_t capacity;
    bool overlaps; /* rectangles of branches that exclude each other may share steps and bytes */
};

/* Of an outcome with a plan. Zero-initialise *layout; free with layout_free also after a failure.
 */
enum status layout_fill(const struct job *job, const struct outcome *outcome, struct layout *layout,
                        struct error *error);
void layout_free(struct layout *layout);

/* For those who fill one: adds rectangles like the given one for each piece of the walk; the region
   that holds a tensor's producer. */
enum status layout_add(struct layout *layout, struct layout_rectangle rectangle,
                       struct extents_walk walk, struct error *error);
uint32_t layout_group(const struct graph *graph, uint32_t tensor);

#endif
