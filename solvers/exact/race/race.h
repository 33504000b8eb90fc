#ifndef MEMPLAN_SOLVERS_EXACT_RACE_RACE_H
#define MEMPLAN_SOLVERS_EXACT_RACE_RACE_H

#include "solvers/exact/race/search.h"

/* The members of the portfolio search the same capacity, each up to a limit, and the first in their
   order that has an answer gives it; what later ones did is forgotten. So the answer, and all
   answers after it, are the same for any number of threads, unless the time is up. */
struct exact_race;

struct exact_race_options {
    unsigned rules;       /* of exact_rule */
    uint32_t members;     /* how many of the orders, at least 1; more than there are: all */
    uint32_t threads;     /* at least 1 */
    uint64_t deadline_ns; /* UINT64_MAX for none */
};

/* The model stays the caller's and must outlive the race. */
enum status exact_race_create(const struct exact_model *model,
                              const struct exact_race_options *options, struct exact_race **race,
                              struct error *error);
void exact_race_free(struct exact_race *race); /* NULL is fine */

/* What to search for, and how long: a member makes so many placements times its effort in the first
   heat it takes part in, and twice as many in each later one. */
struct exact_heat {
    uint64_t capacity, placements;
    uint32_t level; /* number of the heat */
};

/* offset [buffers] is filled when a plan was found, *excess (solvers/exact/race/search.h) when none
 * fits. */
enum status exact_race_run(struct exact_race *race, const struct exact_heat *heat,
                           enum exact_outcome *outcome, uint64_t *offset, uint64_t *excess,
                           struct error *error);

/* Adds what all runs counted. */
void exact_race_count(const struct exact_race *race, uint64_t counter[SEARCH_COUNTERS]);

#endif
