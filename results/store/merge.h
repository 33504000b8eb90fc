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

/* Whole runs from one file of results to another: rows, layouts, measures and what is known of the
   run, to the last bit. */
struct merge_transfer {
    const char *source;       /* path of another file, of this schema version or an older one */
    const char *const *label; /* [labels]; none: all runs of the source */
    uint32_t labels;
};

struct merge_transferred {
    uint64_t runs, rows;
};

/* Copies into a store that is open for writing, all or nothing. STATUS_NO where the source lacks a
   run, with those that it has, and where the target has one of that label already. O(rows log
   rows). */
enum status merge_transfer_runs(struct store *target, const struct merge_transfer *transfer,
                                struct merge_transferred *done, struct error *error);

#endif
