#ifndef MEMPLAN_PLOTS_REPORT_WINNERS_H
#define MEMPLAN_PLOTS_REPORT_WINNERS_H

#include "core/text.h"
#include "results/store/query.h"

/* Appends, as HTML, who has the best plans: a sentence, and the first of the table leaderboard.
   set: the newest rows of the store. O(planners * lines). */
enum status winners_append(struct store *store, const struct result_set *set, struct text *html,
                           struct error *error);

#endif
