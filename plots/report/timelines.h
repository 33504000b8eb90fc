#ifndef MEMPLAN_PLOTS_REPORT_TIMELINES_H
#define MEMPLAN_PLOTS_REPORT_TIMELINES_H

#include "results/store/timelines.h"

/* Writes data/timelines.js, the list of timelines of weight transfers, and for the i-th of them
   data/timeline-i.js with its events, which the page loads when it is looked at. O(events). */
enum status timelines_write_data(const char *folder, const struct timelines_set *set,
                                 struct error *error);

#endif
