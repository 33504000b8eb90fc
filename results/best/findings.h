#ifndef MEMPLAN_RESULTS_BEST_FINDINGS_H
#define MEMPLAN_RESULTS_BEST_FINDINGS_H

#include <stdbool.h>

#include "results/best/list.h"
#include "results/store/query.h"

/* What stored results say about best known values. Peaks count where query_worth says so and no
   buffer is split; bounds of built-in planners count, those of others are claims. */

/* What the rows of one problem come to. */
struct best_found {
    const struct result_row *peak;  /* with the lowest one; NULL without any */
    const struct result_row *bound; /* with the highest one; NULL without any */
    const char *options;            /* of the problem */
    const struct best_known *known; /* the list's line, NULL where it has none */
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

/* Any row of the problem: either of the two. */
const struct result_row *best_found_row(const struct best_found *found);

/* Against what is known, false for all where nothing is: a lower peak, a higher bound; a peak below
   the bound that is known or found, or a bound above the peak. */
bool best_found_improves_peak(const struct best_found *found);
bool best_found_improves_bound(const struct best_found *found);
bool best_found_contradicts(const struct best_found *found);

/* Appends a line for each problem that improves or contradicts what is known, at most so many of
   each kind, and how many more there are. *contradictions: how many there are. */
enum status best_findings_describe(const struct best_findings *findings, uint32_t most,
                                   uint32_t *contradictions, struct text *lines,
                                   struct error *error);

#endif
