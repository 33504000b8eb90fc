#ifndef MEMPLAN_CLI_RESULTS_STANDINGS_CHANGES_H
#define MEMPLAN_CLI_RESULTS_STANDINGS_CHANGES_H

#include "plots/report/report.h"
#include "results/views/planners/contest.h"

/* What changed from one version of the standings to the next. */

/* Where each planner stands in each table; the caller zeroes it. */
struct standing_lines {
    struct names names;    /* "TABLE: PLANNER" */
    struct standing *line; /* [names.count] */
    size_t capacity;
};

/* Notes the standings of a table. */
enum status standing_lines_note(struct standing_lines *lines, const char *table,
                                const struct contest *contest, struct error *error);
void standing_lines_free(struct standing_lines *lines);

struct standings_version {
    const char *name;
    const struct result_set *set;
    const struct standing_lines *lines;
};

/* Adds the part with the planners that are new, gone, or stand elsewhere, and the entries whose
   least peak is another. */
enum status changes_add(struct report *report, const struct standings_version *last,
                        const struct standings_version *now, struct error *error);

#endif
