#ifndef MEMPLAN_CLI_REPRODUCE_DMA_FIGURES_H
#define MEMPLAN_CLI_REPRODUCE_DMA_FIGURES_H

#include "plots/report/report.h"

/* Figures of the reproduction luna-dma. */
enum status dma_figures_add(struct report *report, struct error *error);

#endif
