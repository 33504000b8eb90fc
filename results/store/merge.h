#ifndef MEMPLAN_RESULTS_STORE_MERGE_H
#define MEMPLAN_RESULTS_STORE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "results/store/store.h"

/* Joins stores: every row of every table is copied with its layout, and equal rows become one. */

/* Counts of rows of results. */
struct merge_counts {
    uint64_t added, known; /* rows that were added, and rows that were equal to one already there */
    uint64_t replaced; /* rows of a job that had another row already: the newer of the two stays */
};

/* Adds all rows of the stores path[paths], also of older schema versions, to the one at output,
   which is created if missing. All or nothing: a new file appears when it is complete, and one that
   is there is changed in one transaction. Where two rows of the same job differ and newest is true,
   the row whose run started later stays (the first row where both started together); where newest
   is false, STATUS_NO names the job. counts[paths] are the counts of each store. O(rows log
   rows). */
struct merge_request {
    const char *const *path;
    uint32_t paths;
    bool newest;
};
enum status merge_stores(const struct merge_request *request, const char *output,
                         struct merge_counts *counts, struct error *error);

/* Adds all rows of one run, of a store that is open for reading, to a store that is open for
   writing and does not have the run. The caller begins and ends the transaction. */
enum status merge_run(struct store *into, struct store *from, const char *run, struct error *error);

#endif
