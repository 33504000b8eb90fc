#ifndef MEMPLAN_PLOTS_SCRIPT_GANTT_H
#define MEMPLAN_PLOTS_SCRIPT_GANTT_H

#include "core/text.h"

/* Figures of weight transfers. They are drawn from what the caller has at hand, not from a store.
 */

enum gantt_kind { GANTT_COMPUTE, GANTT_WAIT, GANTT_TRANSFER, GANTT_OTHER_TRANSFER };

/* Transfers are on the channel's line, in two colours for two buffers; all else is on the
   processor's. */
struct gantt_bar {
    const char *label;
    uint64_t begin_ns, end_ns;
    enum gantt_kind kind;
};

/* One chart above another, on one time axis. */
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

/* Operators with weights in execution order, as high as their weights, in the colour of their
   buffer; regions are alternately shaded and named, nested ones lower. */
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
