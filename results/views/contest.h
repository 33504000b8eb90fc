#ifndef MEMPLAN_RESULTS_VIEWS_CONTEST_H
#define MEMPLAN_RESULTS_VIEWS_CONTEST_H

#include "results/views/standings.h"

/* What was chosen of a store, as a grid with the standings of its planners: what tables and figures
   start from that set planners against each other. */
struct contest {
    struct result_set set;
    struct grid grid;
    struct standings standings;
};

/* choice: NULL for all there is. Frees what it made where it fails. O(rows log rows + planners *
   lines). */
enum status contest_open(struct store *store, const struct result_choice *choice,
                         struct contest *contest, struct error *error);
void contest_free(struct contest *contest);

/* The planner in place `place` of the standings. */
const char *contest_name(const struct contest *contest, uint32_t place);

#endif
