#ifndef MEMPLAN_CLI_REPRODUCE_GRAPH_FIGURES_H
#define MEMPLAN_CLI_REPRODUCE_GRAPH_FIGURES_H

#include "plots/report/report.h"

/* Adds a source's figure of a graph, which graph_figures.c lists by name: only the captions and the
   text of these pictures survive, so they are drawn again. */
enum status graph_figures_add(const char *name, struct report *report, struct error *error);

#endif
