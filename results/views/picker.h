#ifndef MEMPLAN_RESULTS_VIEWS_PICKER_H
#define MEMPLAN_RESULTS_VIEWS_PICKER_H

#include "results/store/query.h"
#include "results/table/table.h"

/* Takes figures out of a result set for a table, and counts those that are missing for the notes
   below the table. */
struct picker {
    const struct result_set *set;
    bool used; /* the set had some figure for the table */
    uint32_t missing, invalid, with_options;
};

/* The row for these three. NULL where there is none, which is counted as missing. */
const struct result_row *picker_find(struct picker *picker, const char *instance,
                                     const char *policy, const char *planner);

/* Returns true and fills in the bytes where the row, which may be NULL, has a peak that counts, see
   query_worth. */
bool picker_peak(const struct result_row *row, uint64_t *peak_bytes);

/* The peak as a cell: the number, "invalid", which is counted, the status where there is no plan
   ("timeout"), or nothing for NULL. */
struct cell picker_cell(struct picker *picker, const struct result_row *row);

/* The load of an instance under a policy, nothing where no row knows it. */
struct cell picker_load(const struct picker *picker, const char *instance, const char *policy);

/* A cell that says by how many percent the peak is above the base; empty unless both are known. A
   base of 0 counts as unknown. */
struct cell picker_gap(bool known, uint64_t peak_bytes, uint64_t base_bytes);

/* Adds a note for each kind of thing that was counted. */
void picker_add_notes(const struct picker *picker, struct table *table);

#endif
