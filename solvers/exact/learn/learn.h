#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_LEARN_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_LEARN_H

#include "solvers/exact/race/search.h"

/* The search that learns, for small models, and the only one for those that are not orderable:
   there two buffers may lie above each other in different sections, so that bottom-up placement
   with one distance for a pair does not do. It decides for each interval that a pair forbids on
   which side of it their distance lies, and keeps of each refusal a clause: which of these
   decisions never go together, and up to which capacity. */
struct exact_learn;

/* Bits of rules, each a switch. */
enum exact_learn_rule {
    EXACT_LEARN_RULE_OVERLOAD = 1 << 0, /* jobs of a section that end too early for their bytes */
    EXACT_LEARN_RULE_EDGES = 1 << 1, /* a job that ends after others, as they have no room for it */
    EXACT_LEARN_RULE_CHAINS = 1 << 2, /* a job begins after those decided to lie below it */
    EXACT_LEARN_RULE_KEEP = 1 << 3,   /* clauses outlive a restart */
};

/* All offsets and sizes are far from overflow. O(buffers). */
bool exact_learn_can(const struct problem *problem);

/* For a model of a problem that it can do. O(sum of squared sections + forbidden intervals) memory
 * at first. */
enum status exact_learn_create(const struct exact_model *model, unsigned rules,
                               struct exact_learn **learn, struct error *error);
void exact_learn_free(struct exact_learn *learn); /* NULL is fine */

/* As exact_race_run; placements are decisions. Clauses last from run to run. */
enum status exact_learn_run(struct exact_learn *learn, uint64_t capacity, uint64_t placements,
                            uint64_t deadline_ns, enum exact_outcome *outcome, uint64_t *offset,
                            uint64_t *excess, struct error *error);

/* Adds what all runs counted. */
void exact_learn_count(const struct exact_learn *learn, uint64_t counter[SEARCH_COUNTERS]);

#endif
