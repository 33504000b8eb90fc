#ifndef MEMPLAN_HARNESS_TRANSFERS_TRACE_H
#define MEMPLAN_HARNESS_TRANSFERS_TRACE_H

#include "core/text.h"
#include "dma/timing/timeline.h"

/* A timeline as Chrome trace JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open: one
   lane for the processor, one for the channel. */
enum status transfer_trace_write(const struct graph *graph,
                                 const struct transfer_timeline *timeline, struct text *text,
                                 struct error *error);

#endif
