#ifndef MEMPLAN_CLI_RESULTS_STANDINGS_ENTRIES_H
#define MEMPLAN_CLI_RESULTS_STANDINGS_ENTRIES_H

#include "plots/report/report.h"
#include "results/best/list.h"
#include "results/store/query.h"
#include "results/store/runs.h"

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

/* What the page says of entries. */
struct entries {
    struct store *store;
    const struct result_set *set; /* the rows of the class */
    const char *folder;
    uint64_t time_limit_ns; /* of the class */
    const struct run_list *runs;
    const struct best_list *known; /* NULL: entries have no pages of their own */
};

/* Adds a part with a row for each entry: who is best, by how much it may still be lowered, and how
   to see it. The page of an entry that was planned, entry-N.html in the folder, has its features,
   what is best known of it, all planners and the best layout. */
enum status entries_add(struct report *report, const struct entries *entries, struct error *error);

#endif
