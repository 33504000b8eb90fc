#ifndef MEMPLAN_SOLVERS_EXACT_RACE_RACE_H
#define MEMPLAN_SOLVERS_EXACT_RACE_RACE_H

#include "planning/plan/search_record.h"
#include "solvers/exact/model/model.h"
#include "solvers/exact/model/round.h"

/* The race of strategies: all search the same capacity, each up to a limit of placements. The
   answer is that of the first strategy, in their order, that has one; the work of strategies after
   it in that order is forgotten. So this answer and all later ones are the same for any number of
   threads, unless the time is up. */
struct exact_race;

struct exact_race_options {
    unsigned rules;      /* of exact_rule */
    uint32_t strategies; /* how many strategies take part, at least 1; all if this is more than
                            there are */
    uint32_t threads;    /* at least 1 */
    bool beam;           /* the beam search takes part, if it is one of these strategies */
};

/* The model, which is orderable, stays the caller's and must outlive the race. O(members of
   sections). */
enum status exact_race_create(const struct exact_model *model,
                              const struct exact_race_options *options, struct exact_race **race,
                              struct error *error);
void exact_race_free(struct exact_race *race); /* NULL is fine */
SCOPED_POINTER(struct exact_race, exact_race_release, exact_race_free);

/* A strategy makes 3/2 placements for each buffer, times its effort, in the first round that it
   takes part in, and twice as many in each later one. */
enum status exact_race_run(struct exact_race *race, const struct exact_round *round,
                           struct exact_answer *answer, struct error *error);

/* Adds the counters of all runs. */
void exact_race_count(const struct exact_race *race, uint64_t counter[SEARCH_COUNTERS]);

#endif
