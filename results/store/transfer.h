#ifndef MEMPLAN_RESULTS_STORE_TRANSFER_H
#define MEMPLAN_RESULTS_STORE_TRANSFER_H

#include <stdint.h>

#include "core/error.h"

/* Whole runs from one file of results to another: rows, layouts, measures and what is known of the
   run, to the last bit. */

struct store;

struct transfer {
    const char *source;       /* path of another file, of this schema version or an older one */
    const char *const *label; /* [labels]; none: all runs of the source */
    uint32_t labels;
};

struct transferred {
    uint64_t runs, rows;
};

/* Copies into a store that is open for writing, all or nothing. STATUS_NO where the source lacks a
   run, with those that it has, and where the target has one of that label already. O(rows log
   rows). */
enum status transfer_runs(struct store *target, const struct transfer *transfer,
                          struct transferred *done, struct error *error);

#endif
