#ifndef MEMPLAN_CLI_REPRODUCE_PLANNED_H
#define MEMPLAN_CLI_REPRODUCE_PLANNED_H

#include "harness/record.h"

/* Plans whose details are taken as measures, beyond what a row of results holds. */

struct planned_choice {
    const char *planner;         /* with settings, as on the command line */
    const char *inplace;         /* rules by name */
    const struct policy *policy; /* of a graph; NULL for flat */
    uint64_t capacity_bytes, time_limit_ns, least_sampled_ns; /* 0: none, ten seconds, one run */
};

/* A plan, verified and executed. It must not be moved. */
struct planned {
    struct planner *planner;
    struct job job; /* of the planner */
    struct outcome outcome;
};

/* The caller clears it, also after an error. */
enum status planned_make(const struct instance *instance, const struct planned_choice *choice,
                         struct planned *planned, struct error *error);
void planned_clear(struct planned *planned);

/* Where measures of an instance go. */
struct planned_record {
    const struct instance *instance;
    struct store *store;
    const struct record_context *context;
    const char *topic;
    struct error *error;
};

/* Writes one measure; its name is NAME, a blank and WORD, or NAME where word is "". */
enum status planned_write(const struct planned_record *record, const char *variant,
                          const char *name, const char *word, uint64_t value);

/* Writes bytes, pools and whether the plan is sound as measures of the variant "PLANNER",
   "PLANNER; in place" or "PLANNER; POLICY" where a policy is given. */
enum { PLANNED_VARIANT_BYTES = 96 };
void planned_variant(const struct planned_choice *choice, char variant[PLANNED_VARIANT_BYTES]);
enum status planned_write_outcome(const struct planned_record *record, const char *variant,
                                  const struct outcome *outcome);

/* What is saved, as a share of the bytes or ns before, in millionths; 0 where nothing is. */
uint64_t planned_saving(uint64_t before, uint64_t after);

#endif
