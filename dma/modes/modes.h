#ifndef MEMPLAN_DMA_MODES_MODES_H
#define MEMPLAN_DMA_MODES_MODES_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* Modes: how transfers are laid against computing. Each mode writes a program. dma/timing/times.h
   and dma/timing/timeline.h compute its times, and dma/program/check.h checks that it is right.
   docs/dma.md draws each mode.

   To add a mode: a file that defines `const struct transfer_mode transfer_mode_NAME`, and a row in
   dma/modes/modes.def. */

/* What a mode is given to write a program. */
struct transfer_task {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    uint32_t buffers; /* for a mode that takes_buffers, 1 .. TRANSFER_MOST_BUFFERS */
};

struct transfer_mode {
    const char *name;
    const char *title;
    bool takes_buffers; /* uses transfer_task.buffers */
    bool in_arena; /* its buffers are planned with the tensors, see dma/planned/front.h; the program
                      alone is the fastest one, whatever memory it takes */

    /* Writes a program, which the caller frees. O(operators) for most modes, O(operators * buffers)
       for ring; planned searches up to a fixed amount of work. */
    enum status (*build)(const struct transfer_task *task, struct transfer_program **program,
                         struct error *error);
};

enum { TRANSFER_MOST_BUFFERS = 1024 };

uint32_t transfer_modes_count(void);
const struct transfer_mode *transfer_modes_at(uint32_t index);
/* Finds a mode by its name; STATUS_USAGE where there is none of that name. */
enum status transfer_modes_find(const char *name, const struct transfer_mode **mode,
                                struct error *error);

/* The mode's program; STATUS_USAGE where a mode that takes buffers is given none or too many. */
enum status transfer_modes_build(const struct transfer_mode *mode, const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error);

#endif
