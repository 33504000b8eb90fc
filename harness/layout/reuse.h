#ifndef MEMPLAN_HARNESS_LAYOUT_REUSE_H
#define MEMPLAN_HARNESS_LAYOUT_REUSE_H

#include "harness/layout/layout.h"

/* Row `by` is the next to use bytes that row `row` used before. */
struct reuse {
    uint32_t row, by;
};

/* Finds who takes over whose bytes, for all rectangles of the layout, which are sorted by their
   first step. (*reuse)[*reuses] lists each pair once, by `row`, then by `by`; the caller frees it
   with memory_free. O(n log n + reuses log reuses) for n rectangles. */
enum status reuse_find(struct layout *layout, struct reuse **reuse, uint32_t *reuses,
                       struct error *error);

#endif
