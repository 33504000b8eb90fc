#ifndef MEMPLAN_HARNESS_LAYOUT_REUSE_H
#define MEMPLAN_HARNESS_LAYOUT_REUSE_H

#include "harness/layout/report.h"

/* Fills reused_by and reusers of the report's rows from the rectangles of a layout, whose items are
   rows and which it sorts by their first step: each takes its bytes over from those that used them
   last. O(n log n + reuses log reuses) for n
   rectangles. */
enum status layout_reuse_find(struct layout *layout, struct layout_report *report,
                              struct error *error);

#endif
