#ifndef MEMPLAN_PLOTS_REPORT_OVERVIEW_H
#define MEMPLAN_PLOTS_REPORT_OVERVIEW_H

#include "core/text.h"
#include "results/store/query.h"

/* Appends the beginning of the report as HTML: the runs, the best planners, what failed, and what
   differs from the run before. set: the newest rows of the store. O(rows log rows). */
enum status overview_append(struct store *store, const struct result_set *set, struct text *html,
                            struct error *error);

#endif
