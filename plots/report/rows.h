#ifndef MEMPLAN_PLOTS_REPORT_ROWS_H
#define MEMPLAN_PLOTS_REPORT_ROWS_H

#include "results/store/query.h"

/* What the page calls a row's end: its status, or how its plan was found to be wrong. */
const char *rows_outcome(const struct result_row *row);

/* Writes data/rows.js: every row of the set for the page's table of results, column by column.
   kept[set->count] tells which rows have a layout on the page. O(rows). */
enum status rows_write(const char *folder, const struct result_set *set, const bool *kept,
                       struct error *error);

#endif
