#ifndef MEMPLAN_RESULTS_BEST_FINDINGS_H
#define MEMPLAN_RESULTS_BEST_FINDINGS_H

#include <stdbool.h>

#include "results/best/list.h"
#include "results/store/query.h"

/* Finds what stored results say about best known values. A peak counts where query_worth says so
   and no buffer is split. A bound counts if a built-in planner found it; bounds of other planners
   are only claims. */

/* The best of all rows of one problem. */
struct best_found {
    const struct result_row *peak;  /* the row with the lowest peak; NULL for none */
    const struct result_row *bound; /* the row with the highest bound; NULL for none */
    const struct result_row *proof; /* a row whose log was accepted; NULL for none */
    uint64_t proved_bytes;          /* the least peak that it shows */
    const char *options;            /* of the problem */
    const struct best_known *known; /* the line of the list; NULL where the list has none */
};

struct best_findings {
    struct best_found *found; /* [count] by instance, policy, options */
    uint32_t count;
    struct text options; /* of all problems */
};

/* Fills zeroed findings, which refer to the set and the list. O(rows log rows). */
enum status best_findings_create(const struct result_set *set, const struct best_list *list,
                                 struct best_findings *findings, struct error *error);
void best_findings_free(struct best_findings *findings);

/* Any row of the problem: the row with the peak if there is one, else the row with the bound. */
const struct result_row *best_found_row(const struct best_found *found);

/* Compare with what is known; all are false where nothing is known. A peak improves if it is lower,
   a bound if it is higher. There is a contradiction if a peak lies below a bound that is known or
   found. */
bool best_found_improves_peak(const struct best_found *found);
bool best_found_improves_bound(const struct best_found *found);
bool best_found_contradicts(const struct best_found *found);

/* Appends a line for each problem that improves or contradicts what is known: at most `most` of
   each kind, and then how many more there are. *contradictions is the number of all
   contradictions. */
enum status best_findings_describe(const struct best_findings *findings, uint32_t most,
                                   uint32_t *contradictions, struct text *lines,
                                   struct error *error);

#endif
