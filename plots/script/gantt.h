#ifndef MEMPLAN_PLOTS_SCRIPT_GANTT_H
#define MEMPLAN_PLOTS_SCRIPT_GANTT_H

#include "core/text.h"

/* Figures of weight transfers. The caller gives the data; no store is needed. */

enum gantt_kind { GANTT_COMPUTE, GANTT_WAIT, GANTT_TRANSFER, GANTT_OTHER_TRANSFER };

/* Transfers are on the channel's line, in two colours for two buffers; all else is on the
   processor's. */
struct gantt_bar {
    const char *label;
    uint64_t begin_ns, end_ns;
    enum gantt_kind kind;
};

/* A chart; several of them are drawn above each other with one time axis. */
struct gantt_panel {
    const char *heading;
    struct gantt_bar *bar; /* [bars] */
    uint32_t bars;
    uint64_t total_ns;
};

/* name, title and subtitle as in script.h. */
struct gantt_head {
    const char *name, *title, *subtitle;
};
void gantt_write(const struct gantt_head *head, const struct gantt_panel *panel, unsigned panels,
                 struct text *script);

/* An operator with weights, in execution order, drawn as high as its weights and in the colour of
   its buffer. Regions are shaded alternately and named; nested ones are drawn lower. */
struct region_map_bar {
    const char *label;
    uint64_t bytes;
    unsigned buffer;
};
struct region_map_region {
    const char *label;
    uint32_t first_bar, bars, depth;
};
struct region_map {
    const struct region_map_bar *bar; /* [bars] */
    uint32_t bars;
    const struct region_map_region *region; /* [regions] */
    uint32_t regions;
};
void region_map_write(const struct gantt_head *head, const struct region_map *map,
                      struct text *script);

#endif
