#ifndef MEMPLAN_PLOTS_REPORT_OVERVIEW_H
#define MEMPLAN_PLOTS_REPORT_OVERVIEW_H

#include "core/text.h"
#include "results/store/query.h"

/* Appends what a reader wants to know first, as HTML: which runs there were, who won, what failed,
   and what differs from the run before. set: the newest rows of the store. O(rows log rows). */
enum status overview_append(struct store *store, const struct result_set *set, struct text *html,
                            struct error *error);

#endif
