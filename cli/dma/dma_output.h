#ifndef MEMPLAN_CLI_DMA_DMA_OUTPUT_H
#define MEMPLAN_CLI_DMA_DMA_OUTPUT_H

#include "datasets/instance.h"
#include "dma/run.h"

/* The timeline of a run along its likeliest path, as a file: .trace.json for Perfetto, .svg, .pdf,
   .png or .gp as a Gantt chart. */

/* STATUS_USAGE for another extension; path may be NULL. */
enum status dma_output_check(const char *path, struct error *error);
enum status dma_output_write(const struct instance *instance, const struct transfer_run *run,
                             const char *path, struct error *error);

#endif
