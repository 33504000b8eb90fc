#ifndef MEMPLAN_SOLVERS_EXACT_RACE_SEARCH_H
#define MEMPLAN_SOLVERS_EXACT_RACE_SEARCH_H

#include "solvers/exact/model/round.h"
#include "solvers/exact/race/strategy.h"

/* The search tree of a strategy. Strategies of the same model can use one search in turns. */

struct exact_run {
    const struct exact_strategy *strategy;
    const uint32_t *rank;                /* [buffers] of the strategy */
    unsigned rules;                      /* of exact_rule */
    uint64_t capacity;                   /* units */
    const struct exact_grid *grid;       /* of batches that suit the capacity */
    uint64_t placements;                 /* the most, UINT64_MAX for no limit */
    uint64_t deadline_ns;                /* UINT64_MAX for none */
    uint64_t pause_ns;                   /* from then on it may stop, and go on later */
    const _Atomic bool *cancelled;       /* by another thread; or NULL */
    struct exact_experience *experience; /* of the strategy, which the run adds to */
};

struct exact_search;

enum status exact_search_create(const struct exact_model *model, struct exact_search **search,
                                struct error *error);
void exact_search_free(struct exact_search *search); /* NULL is fine */
SCOPED_POINTER(struct exact_search, exact_search_release, exact_search_free);

/* Begins a run. A plan that it finds is in the lowest offsets of the state; where it refutes the
   capacity, the state has the next capacity that may fit. */
enum status exact_search_run(struct exact_search *search, const struct exact_run *run,
                             enum exact_outcome *outcome, struct error *error);

/* Continues the search's last run, which stopped before it had made its placements, as if it had
   not stopped. Only the deadline, the pause and `cancelled` of the run may differ. */
enum status exact_search_go_on(struct exact_search *search, const struct exact_run *run,
                               enum exact_outcome *outcome, struct error *error);

/* Whether the last run has placements left. */
bool exact_search_can_go_on(const struct exact_search *search);

/* What the last run left: offsets and next capacity. */
const struct exact_state *exact_search_state(const struct exact_search *search);

#endif
