#ifndef MEMPLAN_RESULTS_VIEWS_CONTEST_H
#define MEMPLAN_RESULTS_VIEWS_CONTEST_H

#include "results/views/planners/standings.h"

/* The chosen results of a store as a grid, with the standings of their planners. Tables and figures
   that compare planners are made from it. */
struct contest {
    struct result_set set;
    struct grid grid;
    struct standings standings;
};

/* choice may be NULL. After an error nothing is left to free. O(rows log rows + planners *
   lines). */
enum status contest_open(struct store *store, const struct result_choice *choice,
                         struct contest *contest, struct error *error);
void contest_free(struct contest *contest);

/* The planner in place `place` of the standings. */
const char *contest_name(const struct contest *contest, uint32_t place);

#endif
