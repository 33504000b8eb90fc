#ifndef MEMPLAN_CLI_STANDINGS_ENTRIES_H
#define MEMPLAN_CLI_STANDINGS_ENTRIES_H

#include "cli/standings/version.h"
#include "results/best/list.h"

/* The entries of the collection on the page of standings. */

/* What is best among the rows of an entry, under any policy and in any order. */
struct standings_entry_best {
    const struct result_row *row; /* the first with the least peak; NULL where no plan is known */
    uint64_t bound_bytes;         /* no plan has a lower peak; 0 where nothing is proved */
    uint32_t rows;                /* how many rows have that peak */
};

/* Fills best[collection_count()], which is zeroed. A bound for one order of the operators says
   nothing about other orders, so for entries of the track orders only bounds that hold for all
   orders count. */
void standings_entries_best(const struct result_set *set, struct standings_entry_best *best);

/* Adds a part with a row for each entry: who is best, by how much it may still be lowered, and how
   to see it. Unless known is NULL, each entry that was planned has a page, entry-N.html in the
   folder, with its features, what is best known of it, all planners and the best layout. */
enum status standings_entries_add(const struct standings_version *version,
                                  const struct best_list *known, struct error *error);

#endif
