#ifndef MEMPLAN_DMA_RUN_H
#define MEMPLAN_DMA_RUN_H

#include "dma/modes/modes.h"
#include "dma/timing/hardware.h"
#include "dma/timing/times.h"

/* The chip and the mode with which a graph is run. */
struct transfer_setting {
    const struct hardware *hardware;
    const struct transfer_mode *mode;
    uint32_t buffers; /* for a mode that takes_buffers */
};

/* A graph on a chip under one mode: the program, checked on every path by dma/program/check.h, and
   the time and memory that it takes. */
struct transfer_run {
    const struct transfer_mode *mode;
    struct transfer_regions *regions;
    struct transfer_costs *costs;
    struct transfer_program *program;
    struct region_times *region_times;
    struct transfer_times times, bound;
    uint64_t buffer_bytes; /* of all buffers of the program */
};

/* Fills *run, which is cleared with transfer_run_clear, also after an error. Graph and hardware
   have to outlive it. */
enum status transfer_run_fill(const struct graph *graph, const struct transfer_setting *setting,
                              struct transfer_run *run, struct error *error);

/* The two halves of transfer_run_fill, for a caller that writes the program itself: the first fills
   regions and costs; then the caller sets run->program; the second checks and times it. */
enum status transfer_run_begin(const struct graph *graph, const struct transfer_setting *setting,
                               struct transfer_run *run, struct error *error);
enum status transfer_run_finish(struct transfer_run *run, struct error *error);

/* Frees what *run owns, the program too; it may be zeroed. */
void transfer_run_clear(struct transfer_run *run);

#endif
