#ifndef MEMPLAN_RESULTS_STORE_INSTANCE_NAMES_H
#define MEMPLAN_RESULTS_STORE_INSTANCE_NAMES_H

#include "core/text.h"
#include "results/store/row.h"

/* Makes names of instances unique. The rows are sorted by name and digest. Where several contents
   have the same name, each gets the shortest end of its path that tells them apart, like "a/x.csv"
   and "b/x.csv". The new names are stored in *names, which is zeroed by the caller. O(rows). */
enum status instance_names_distinguish(struct result_row *row, uint32_t rows, struct text *names,
                                       struct error *error);

#endif
