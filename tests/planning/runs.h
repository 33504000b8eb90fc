#ifndef MEMPLAN_TESTS_PLANNING_RUNS_H
#define MEMPLAN_TESTS_PLANNING_RUNS_H

#include "planning/graph/graph.h"

/* What references share that run a small graph along one path after another. */

enum { RUNS_MOST_CHOICES = 64 };

/* The choices that a run makes on its way: branches, and numbers of turns. Zero-initialise it. The
   caller sets `made` to 0 before each run. */
struct run_choices {
    uint32_t choice[RUNS_MOST_CHOICES], options[RUNS_MOST_CHOICES];
    uint32_t count; /* how many the last run made */
    uint32_t made;  /* by this run so far */
    bool too_many;  /* a run had more than RUNS_MOST_CHOICES */
};

/* The next choice of this run, below `options`: that of the last run, as far as that had one, then
   the first one. */
uint32_t runs_choose(struct run_choices *choices, uint32_t options);

/* Makes the last choice the next one that can be; false when all have been made. */
bool runs_advance(struct run_choices *choices);

/* The bytes of a tensor's place: for the result of an If in the arena the most that any branch
   yields for it. */
uint64_t runs_place_bytes(const struct graph *graph, uint32_t tensor);

#endif
