#ifndef MEMPLAN_CLI_DMA_FIGURES_H
#define MEMPLAN_CLI_DMA_FIGURES_H

#include "core/text.h"
#include "datasets/instance.h"
#include "dma/run.h"

/* The instance of a figure, and the name of its file without an extension. */
struct dma_figure {
    const struct instance *instance;
    const char *name;
};

/* Appends a script that draws the timelines of runs of one graph, one above another, along its
   likeliest path. STATUS_LIMIT where there is too much to see. */
enum status dma_figures_gantt(const struct dma_figure *figure, const struct transfer_run *run,
                              unsigned runs, struct text *script, struct error *error);

/* Appends a script that draws the transfer regions of a graph. */
enum status dma_figures_regions(const struct dma_figure *figure, const struct transfer_run *run,
                                struct text *script, struct error *error);

#endif
