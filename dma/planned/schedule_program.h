#ifndef MEMPLAN_DMA_PLANNED_SCHEDULE_PROGRAM_H
#define MEMPLAN_DMA_PLANNED_SCHEDULE_PROGRAM_H

#include "dma/planned/schedule.h"
#include "dma/program/program.h"
#include "dma/timing/times.h"

/* Writes a schedule as a program. In each region the program first cancels transfers that were
   started for other regions. Before each operator it starts the transfers that the schedule puts
   there, then waits for the operator's own weights. Buffer w is that of weighted operator number w.
   The caller frees the program. */
enum status schedule_program(const struct schedule_space *space, const uint32_t *start,
                             struct transfer_program **program, struct error *error);

/* Makes the program of another mode the space's guess: each transfer starts where it does there,
   but goes to a buffer of its own. O(instructions log operators). */
enum status schedule_guess(struct schedule_space *space, const struct transfer_program *program,
                           struct error *error);

/* The program of a schedule with the times of its regions, which refer to it. */
struct schedule_run {
    struct transfer_program *program;
    struct region_times *region_times;
};

/* Runs a schedule over all paths. *run is cleared by the caller, also after an error. Fails as
   transfer_times_compose does. */
enum status schedule_run_fill(const struct schedule_space *space, const uint32_t *start,
                              struct schedule_run *run, struct transfer_times *times,
                              struct error *error);
void schedule_run_clear(struct schedule_run *run);

#endif
