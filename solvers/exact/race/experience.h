#ifndef MEMPLAN_SOLVERS_EXACT_RACE_EXPERIENCE_H
#define MEMPLAN_SOLVERS_EXACT_RACE_EXPERIENCE_H

#include "planning/plan/search_record.h"
#include "solvers/exact/model/model.h"

/* What a strategy knows of a problem from its runs, which outlives them. Everything else of a run
   is in a state (state.h), which strategies can share one after another. */
struct exact_experience {
    double *weight, increment; /* [sections] grows with each refusal there by the increment, which
                                  grows, too */
    uint64_t *blame;           /* [buffers] see blame.h; NULL where the strategy does not learn */
    uint64_t restarts;
    uint64_t counter[SEARCH_COUNTERS];
};

/* Creates an experience of no runs. O(sections + buffers). */
enum status exact_experience_create(const struct exact_model *model, bool learns,
                                    struct exact_experience **experience, struct error *error);
void exact_experience_free(struct exact_experience *experience); /* NULL is fine */
SCOPED_POINTER(struct exact_experience, exact_experience_release, exact_experience_free);

/* Copies an experience to another one of the same strategy and model. */
void exact_experience_copy(const struct exact_model *model, const struct exact_experience *from,
                           struct exact_experience *to);

#endif
