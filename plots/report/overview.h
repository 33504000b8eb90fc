#ifndef MEMPLAN_PLOTS_REPORT_OVERVIEW_H
#define MEMPLAN_PLOTS_REPORT_OVERVIEW_H

#include "core/text.h"
#include "plots/report/report.h"

/* Appends the beginning of the report as HTML: the verdict, what differs from the base, the runs,
   the best planners, and what failed. set: the newest rows of the store. STATUS_USAGE where the
   store does not have the run that the request names as the base. O(rows log rows). */
enum status overview_append(struct store *store, const struct result_set *set,
                            const struct report_request *request, struct text *html,
                            struct error *error);

#endif
