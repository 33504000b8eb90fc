#ifndef MEMPLAN_CLI_RESULTS_STANDINGS_ENTRIES_H
#define MEMPLAN_CLI_RESULTS_STANDINGS_ENTRIES_H

#include "plots/report/report.h"
#include "results/store/query.h"

/* The entries of the collection on the page of standings. */

/* The rows of an entry with the least peak under any policy and in any order. */
struct entry_best {
    const struct result_row *row; /* the first; NULL for none */
    uint64_t bound_bytes;         /* of its problem, or in any order; 0 for none known */
    uint32_t rows;                /* number of those with its peak */
};

/* Fills best[collection_count()], which is zeroed. A bound on the problem in one order says nothing
   of others, so that of the entries of the track orders only what is proved of all orders
   counts. */
void entries_find_best(const struct result_set *set, struct entry_best *best);

/* Adds a table with a row for each entry: who is best, by how much it may still be lowered, and how
   to see it. */
enum status entries_add(struct report *report, const struct result_set *set, struct error *error);

#endif
