#ifndef MEMPLAN_DMA_MEASURED_CHANNEL_H
#define MEMPLAN_DMA_MEASURED_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A thread that copies as a chip's DMA channel does: one transfer after another, in the order in
   which they were started, beside the thread that starts them. Each of the two threads waits for
   the other in a busy loop, so that a hand-over takes as little time as possible; after 50 us, or
   at once on a machine with one processor, it yields the processor between checks. */
struct channel;

/* Starts the thread; STATUS_INTERNAL where none can be started. */
enum status channel_open(struct channel **channel, struct error *error);
/* Ends the thread once it has copied all that was started; NULL is fine. */
void channel_close(struct channel *channel);

/* Starts a transfer and returns its number, counted from 0. The bytes at both places must stay as
   they are until the transfer has been waited for. Only one thread may start and wait. */
uint64_t channel_start(struct channel *channel, void *to, const void *from, size_t bytes);
/* Returns once the transfer, and so each one before it, is complete. */
void channel_wait(struct channel *channel, uint64_t transfer);

#endif
