#ifndef MEMPLAN_PLOTS_SCRIPT_GRAPH_MAP_H
#define MEMPLAN_PLOTS_SCRIPT_GRAPH_MAP_H

#include "core/text.h"

/* The figure of a graph from data of the caller: operators as boxes, edges that lead down from one
   to another, frames around operators that belong together. Places are in columns and rows, from 0
   at the top left. */

struct graph_map_node {
    const char *label, *detail; /* inside the box, and to the right of it */
    double column;
    uint32_t row;
};

struct graph_map_edge {
    uint32_t from, to; /* nodes; from is above to */
    enum { GRAPH_MAP_ARROW, GRAPH_MAP_LINE, GRAPH_MAP_DASHED } style;
};

struct graph_map_frame {
    const char *label;
    double left, right;   /* columns */
    uint32_t top, bottom; /* first and last row */
    uint32_t depth;       /* number of frames around it */
};

struct graph_map {
    const char *name, *title, *subtitle; /* as in script.h */
    struct graph_map_node *node;         /* [nodes] */
    struct graph_map_edge *edge;         /* [edges] */
    struct graph_map_frame *frame;       /* [frames] an outer frame comes before those inside it */
    uint32_t nodes, edges, frames;
    double columns;
    uint32_t rows;
};

/* Appends the script. */
void graph_map_write(const struct graph_map *map, struct text *script);

#endif
