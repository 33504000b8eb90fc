#ifndef MEMPLAN_HARNESS_LAYOUT_REUSE_H
#define MEMPLAN_HARNESS_LAYOUT_REUSE_H

#include "harness/layout/layout.h"

/* Bytes that item `row` used last are taken over by item `by`. */
struct reuse {
    uint32_t row, by;
};

/* Who takes over whose bytes: each rectangle of the layout those of the items that used them last.
   Sorts the rectangles by their first step. *reuse is [*reuses], by row, then by who takes over,
   each pair once; the caller frees it with memory_free.
   O(n log n + reuses log reuses) for n rectangles. */
enum status reuse_find(struct layout *layout, struct reuse **reuse, uint32_t *reuses,
                       struct error *error);

#endif
