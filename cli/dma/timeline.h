#ifndef MEMPLAN_CLI_DMA_TIMELINE_H
#define MEMPLAN_CLI_DMA_TIMELINE_H

#include "datasets/instance.h"
#include "dma/run.h"
#include "harness/rows/record.h"

/* Appends the variant under which measures and timelines of a run are stored: hardware, mode and
   buffers, "luna ring 3". */
void dma_timeline_append_variant(const struct transfer_run *run, struct text *variant);

/* Stores the timeline of a run along its likeliest path (results/store/timelines.h). STATUS_LIMIT
   for a path of millions of events. O(events). */
enum status dma_timeline_store(const struct instance *instance, const struct transfer_run *run,
                               struct store *store, const struct record_context *context,
                               struct error *error);

#endif
