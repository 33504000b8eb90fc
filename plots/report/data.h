#ifndef MEMPLAN_PLOTS_REPORT_DATA_H
#define MEMPLAN_PLOTS_REPORT_DATA_H

#include "results/store/query.h"
#include "results/store/runs.h"
#include "results/store/timelines.h"

/* The data that the page of a report loads. */

/* The outcome of a row as the page shows it: its status, or what is wrong with its plan. */
const char *rows_outcome(const struct result_row *row);

/* Writes data/rows.js: every row of the set for the page's table of results, column by column.
   kept[set->count] tells which rows have a layout on the page; of the runs come the commands that
   repeat rows. O(rows). */
enum status rows_write(const char *folder, const struct result_set *set,
                       const struct run_list *runs, const bool *kept, struct error *error);

/* Writes data/layouts.js, the list of instances with layouts, and for the i-th of them
   data/layout-i.js with the rectangles of each plan, which the page loads when it is looked at. Of
   rows[set->count] those with kept true get their layout; it becomes false where there is none.
   *instances is the number of instances with layouts. O(rectangles). */
enum status layouts_write(struct store *store, const char *folder, const struct result_set *set,
                          bool *kept, uint32_t *instances, struct error *error);

/* Writes data/timelines.js, the list of timelines of weight transfers, and for the i-th of them
   data/timeline-i.js with its events, which the page loads when it is looked at. O(events). */
enum status timelines_write_data(const char *folder, const struct timelines_set *set,
                                 struct error *error);

#endif
