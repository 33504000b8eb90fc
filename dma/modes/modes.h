#ifndef MEMPLAN_DMA_MODES_MODES_H
#define MEMPLAN_DMA_MODES_MODES_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* How transfers and computing share the time. Every mode writes a program; what it takes is
   measured by dma/timing/times.h and dma/timing/timeline.h, and whether it is right is checked by
   dma/program/check.h. docs/dma.md draws each mode. */

/* What a mode may go by. */
struct transfer_task {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    uint32_t buffers; /* that a ring may use */
};

struct transfer_mode {
    const char *name;
    const char *title;
    bool takes_buffers; /* goes by the number of buffers */
    bool in_arena; /* its buffers are planned with the tensors, see dma/planned/front.h; the program
                      alone is the fastest one, whatever memory it takes */

    /* O(operators), times the buffers for a ring. */
    enum status (*build)(const struct transfer_task *task, struct transfer_program **program,
                         struct error *error);
};

enum { TRANSFER_MOST_BUFFERS = 1024 };

uint32_t transfer_modes_count(void);
const struct transfer_mode *transfer_modes_at(uint32_t index);
/* STATUS_USAGE where there is none. */
enum status transfer_modes_find(const char *name, const struct transfer_mode **mode,
                                struct error *error);

/* The mode's program; STATUS_USAGE where a ring is given no buffer or too many. */
enum status transfer_modes_build(const struct transfer_mode *mode, const struct transfer_task *task,
                                 struct transfer_program **program, struct error *error);

#endif
