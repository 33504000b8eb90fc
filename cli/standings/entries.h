#ifndef MEMPLAN_CLI_STANDINGS_ENTRIES_H
#define MEMPLAN_CLI_STANDINGS_ENTRIES_H

#include "cli/standings/version.h"
#include "results/best/list.h"

/* The entries of the collection on the page of standings. */

/* The rows of an entry with the least peak under any policy and in any order. */
struct standings_entry_best {
    const struct result_row *row; /* the first; NULL for none */
    uint64_t bound_bytes;         /* of its problem, or in any order; 0 for none known */
    uint32_t rows;                /* number of those with its peak */
};

/* Fills best[collection_count()], which is zeroed. A bound on the problem in one order says nothing
   of others, so that of the entries of the track orders only what is proved of all orders
   counts. */
void standings_entries_best(const struct result_set *set, struct standings_entry_best *best);

/* Adds a part with a row for each entry: who is best, by how much it may still be lowered, and how
   to see it. Unless known is NULL, each entry that was planned has a page, entry-N.html in the
   folder, with its features, what is best known of it, all planners and the best layout. */
enum status standings_entries_add(const struct standings_version *version,
                                  const struct best_list *known, struct error *error);

#endif
