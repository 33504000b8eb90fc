#ifndef MEMPLAN_DMA_MODES_BUILDERS_H
#define MEMPLAN_DMA_MODES_BUILDERS_H

#include "dma/modes/modes.h"

/* The build functions of the rows in dma/modes/modes.c. */

/* Start, wait, compute for each operator with weights. */
enum status mode_build_sync(const struct transfer_task *task, struct transfer_program **program,
                            struct error *error);

/* k buffers in turn, from the first in each region. The first k - 1 weights of a region are started
   when it begins; then, when an operator with weights starts computing, those that are k - 1
   further on, into the buffer that the operator before it has left. One buffer is sync. */
enum status mode_build_ring(const struct transfer_task *task, struct transfer_program **program,
                            struct error *error);

/* Wang et al., Algorithm 3: a ring of two. */
enum status mode_build_pingpong(const struct transfer_task *task, struct transfer_program **program,
                                struct error *error);

/* Two buffers. The last operator with weights of a region, when it starts computing, starts the
   first weights of the region that follows directly: of an If the likeliest branch, of a loop its
   body again; where that region's first buffer is the one it computes from, only after it. Where
   the channel has carried those before the branch is decided, and computing goes on without
   weights, the next likely branch's follow into the buffer that has become free. A region without
   weights starts them when it begins. Where execution goes elsewhere transfers are cancelled, so
   that no path takes longer than under pingpong if instructions cost nothing. */
enum status mode_build_cross_region(const struct transfer_task *task,
                                    struct transfer_program **program, struct error *error);

/* Each operator's weights in a buffer of their own, started as late as that costs no time. */
enum status mode_build_planned(const struct transfer_task *task, struct transfer_program **program,
                               struct error *error);

#endif
