#ifndef MEMPLAN_PLOTS_SCRIPT_MEMORIES_H
#define MEMPLAN_PLOTS_SCRIPT_MEMORIES_H

#include "core/text.h"

/* The figure of a plan with several memories: their layouts side by side, each on its own scale up
   to its peak. The caller gives the data; no store is needed. */

struct memory_rectangle {
    const char *label;
    uint32_t lower, upper; /* steps */
    uint64_t offset, size;
};

/* A memory, and what lies in it: rectangles first to below first + rectangles of those of all. */
struct memory_panel {
    const char *name;
    uint64_t peak_bytes, capacity_bytes; /* UINT64_MAX: none */
    size_t first, rectangles;
};

struct memory_figure {
    const char *subtitle;
    const struct memory_rectangle *rectangle;
    const struct memory_panel *panel; /* [panels] */
    uint32_t panels, steps;
};
void memory_figure_write(const struct memory_figure *figure, struct text *script);

#endif
