#ifndef MEMPLAN_RESULTS_STORE_INSTANCE_NAMES_H
#define MEMPLAN_RESULTS_STORE_INSTANCE_NAMES_H

#include "core/text.h"
#include "results/store/row.h"

/* Where several contents of one name stand among the rows, which are in the order of their names
   and digests, each name becomes the shortest end of its path that tells them apart: "a/x.csv" and
   "b/x.csv". The new names live in *names, zeroed before. O(rows). */
enum status instance_names_distinguish(struct result_row *row, uint32_t rows, struct text *names,
                                       struct error *error);

#endif
