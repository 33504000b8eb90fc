#ifndef MEMPLAN_PLOTS_REPORT_LAYOUTS_H
#define MEMPLAN_PLOTS_REPORT_LAYOUTS_H

#include "results/store/query.h"

/* Writes data/layouts.js, the list of instances with layouts, and for the i-th of them
   data/layout-i.js with the rectangles of each plan, which the page loads when it is looked at. Of
   rows[set->count] those with kept true get their layout; it becomes false where there is none.
   *instances with any. O(rectangles). */
enum status layouts_write(struct store *store, const char *folder, const struct result_set *set,
                          bool *kept, uint32_t *instances, struct error *error);

#endif
