#ifndef MEMPLAN_CLI_REPRODUCE_COMMON_PLANNED_H
#define MEMPLAN_CLI_REPRODUCE_COMMON_PLANNED_H

#include "harness/record.h"

/* Plans of which more is measured than a row of results holds. */

struct planned_choice {
    const char *planner;         /* with settings, as on the command line */
    const char *inplace;         /* name of a set of in-place rules */
    const struct policy *policy; /* of a graph; NULL for flat */
    /* 0: no capacity, ten seconds, one run. */
    uint64_t capacity_bytes, time_limit_ns, least_sampled_ns;
};

/* A plan that was verified and executed. The struct must not be moved. */
struct planned {
    struct planner *planner;
    struct job job; /* of the planner */
    struct outcome outcome;
};

/* Makes and checks a plan. The caller clears *planned, also after an error. */
enum status planned_make(const struct instance *instance, const struct planned_choice *choice,
                         struct planned *planned, struct error *error);
void planned_clear(struct planned *planned);

/* The instance to which measures belong, and the store to which they are written. */
struct planned_record {
    const struct instance *instance;
    struct store *store;
    const struct record_context *context;
    const char *topic;
    struct error *error;
};

/* Writes one measure. Its name is "NAME WORD", or NAME where word is "". */
enum status planned_write(const struct planned_record *record, const char *variant,
                          const char *name, const char *word, uint64_t value);

/* Writes bytes, pools and whether the plan is sound as measures of the variant "PLANNER",
   "PLANNER; in place" or "PLANNER; POLICY" where a policy is given. */
enum { PLANNED_VARIANT_BYTES = 96 };
void planned_variant(const struct planned_choice *choice, char variant[PLANNED_VARIANT_BYTES]);
enum status planned_write_outcome(const struct planned_record *record, const char *variant,
                                  const struct outcome *outcome);

/* The saving as a share of what was needed before, in millionths; 0 where nothing is saved. */
uint64_t planned_saving(uint64_t before, uint64_t after);

#endif
