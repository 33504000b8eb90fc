#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_LEARN_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_LEARN_H

#include "planning/plan/search_record.h"
#include "solvers/exact/model/model.h"
#include "solvers/exact/model/round.h"

/* The search that learns, for small models, and the only one for those that are not orderable:
   there each of two buffers may lie above the other in some section, so that placing from the
   bottom up with one distance for a pair is not enough. A pair of buffers forbids intervals of the
   distance between their offsets; the search decides for each interval on which side of it the
   distance lies. From each refusal it keeps a clause: which of these decisions cannot all hold, and
   up to which capacity. */
struct exact_learn;

struct exact_learn_options {
    unsigned rules; /* of exact_learn_rule, see state.h */
    /* [buffers] one before it that is alike: the two can change places in every plan, so that only
       plans are looked for in which that one lies no higher; or EXACT_NONE. NULL: none. The
       caller's. */
    const uint32_t *twin;
};

/* Whether all offsets and sizes are far enough from overflow for this search. O(buffers). */
bool exact_learn_can(const struct problem *problem);

/* The model stays the caller's and must outlive the search; exact_learn_can holds for its problem.
   O(sum of squared sections + forbidden intervals) memory at first. */
enum status exact_learn_create(const struct exact_model *model,
                               const struct exact_learn_options *options,
                               struct exact_learn **learn, struct error *error);
void exact_learn_free(struct exact_learn *learn); /* NULL is fine */

/* To be called before the first run: each clause is then logged (log.h), and a refusal ends in a
   clause without literals, unless fixed buffers end above the capacity.
   The log stays the caller's. */
struct exact_log;
void exact_learn_keep_log(struct exact_learn *learn, struct exact_log *log);
SCOPED_POINTER(struct exact_learn, exact_learn_release, exact_learn_free);

/* Makes 5/2 decisions for each buffer in round 0, and twice as many in each later round. Clauses
   are kept from run to run. */
enum status exact_learn_run(struct exact_learn *learn, const struct exact_round *round,
                            struct exact_answer *answer, struct error *error);

/* Adds the counters of all runs. */
void exact_learn_count(const struct exact_learn *learn, uint64_t counter[SEARCH_COUNTERS]);

#endif
