#ifndef MEMPLAN_RESULTS_VIEWS_POLICIES_H
#define MEMPLAN_RESULTS_VIEWS_POLICIES_H

#include "results/store/query.h"

/* What the results say of one instance under one control-flow policy, for the table and the figure
   that set policies side by side. */

enum { POLICIES_COUNT = 7, POLICIES_STRATEGIES = 3 };
const char *policies_name(unsigned policy);       /* from flat to select */
const char *policies_strategy(unsigned strategy); /* planners that every policy is shown with */

struct policy_facts {
    bool measured;
    uint64_t load_bytes;
    uint64_t best_bytes;   /* least peak of a plan that splits nothing; 0 for none */
    uint64_t bound_bytes;  /* no plan under the policy has less */
    const char *fault;     /* of a refused plan, "" where there is none */
    const char *addresses; /* "run-time" where any plan needs it, "static", or "" */
    const struct result_row *strategy[POLICIES_STRATEGIES]; /* or NULL */
};

/* The facts of all policies for the instance whose rows start at index `first`, of rows without
   options. Returns the index of the next instance. O(rows of the instance). */
uint32_t policies_find(const struct result_set *set, uint32_t first,
                       struct policy_facts facts[POLICIES_COUNT]);

/* The best plan is proved to be the least. */
bool policies_is_optimum(const struct policy_facts *facts);
/* There are results under two policies: those of an instance with branches or loops. */
bool policies_is_wanted(const struct policy_facts facts[POLICIES_COUNT]);

#endif
