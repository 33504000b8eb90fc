#ifndef MEMPLAN_CLI_REPRODUCE_COMMON_GRAPH_FIGURE_H
#define MEMPLAN_CLI_REPRODUCE_COMMON_GRAPH_FIGURE_H

#include "datasets/instance.h"
#include "plots/report/report.h"

/* A graph as a figure: operators below one another in execution order, the branches of one side by
   side in its frame, and edges from whoever makes a value to whoever reads it. */
struct graph_figure {
    const char *name, *title, *instance;
};

/* STATUS_LIMIT where the graph has loops, or more operators than can be seen. */
enum status graph_figure_add(const struct graph_figure *figure, struct report *report,
                             struct error *error);

#endif
