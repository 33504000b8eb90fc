#ifndef MEMPLAN_PLOTS_REPORT_CHANGES_H
#define MEMPLAN_PLOTS_REPORT_CHANGES_H

#include "core/text.h"
#include "results/store/runs.h"

/* Appends, as HTML, what the newest run did better and worse than the one before it that has jobs
   in common with it. runs: those of the store, the newest first. O(rows log rows). */
enum status changes_append(struct store *store, const struct run_list *runs, struct text *html,
                           struct error *error);

#endif
