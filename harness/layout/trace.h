#ifndef MEMPLAN_HARNESS_LAYOUT_TRACE_H
#define MEMPLAN_HARNESS_LAYOUT_TRACE_H

#include "core/text.h"
#include "harness/job/job.h"

/* A plan as Chrome trace JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a step
   is shown as a microsecond, every offset has a lane in which each buffer is a slice, and a counter
   shows the live bytes. Blocks that regions share are lanes of a process of their own. */
enum status trace_write(const struct job *job, const struct outcome *outcome, struct text *text,
                        struct error *error);

#endif
