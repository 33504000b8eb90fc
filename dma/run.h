#ifndef MEMPLAN_DMA_RUN_H
#define MEMPLAN_DMA_RUN_H

#include "dma/modes/modes.h"
#include "dma/timing/hardware.h"
#include "dma/timing/times.h"

/* A graph on a chip under one mode: the program, checked on every path by dma/program/check.h, and
   what it takes. */
struct transfer_run {
    const struct transfer_mode *mode;
    struct transfer_regions *regions;
    struct transfer_costs *costs;
    struct transfer_program *program;
    struct region_memo *memo;
    struct transfer_times times, bound;
    uint64_t buffer_bytes; /* of all buffers of the program */
};

/* Fills *run, which is cleared with transfer_run_clear, also after an error. Graph and hardware
   have to outlive it. buffers is for a mode that takes_buffers. */
enum status transfer_run_fill(const struct graph *graph, const struct hardware *hardware,
                              const struct transfer_mode *mode, uint32_t buffers,
                              struct transfer_run *run, struct error *error);
/* Its two halves, for a program that was written in between: regions and costs; the program's check
   and times. */
enum status transfer_run_begin(const struct graph *graph, const struct hardware *hardware,
                               const struct transfer_mode *mode, struct transfer_run *run,
                               struct error *error);
enum status transfer_run_finish(struct transfer_run *run, struct error *error);
void transfer_run_clear(struct transfer_run *run);

#endif
