#ifndef MEMPLAN_RESULTS_VIEWS_POLICIES_H
#define MEMPLAN_RESULTS_VIEWS_POLICIES_H

#include "results/store/query.h"
#include "results/views/roles.h"

/* What the results say of one instance under one control-flow policy, for the table and the figure
   that compare policies. */

/* The policies in the order in which they are shown. tests/harness/catalogue/test_registry.c checks
   that planning/policies has these names. */
#define POLICIES_EACH(POLICY)                                                                      \
    POLICY(FLAT, "flat")                                                                           \
    POLICY(SUM, "sum")                                                                             \
    POLICY(MAX, "max")                                                                             \
    POLICY(RECURSIVE, "recursive")                                                                 \
    POLICY(HOIST, "hoist")                                                                         \
    POLICY(PATH, "path")                                                                           \
    POLICY(SELECT, "select")

#define POLICIES_CONSTANT(constant, name) POLICIES_##constant,
enum { POLICIES_EACH(POLICIES_CONSTANT) POLICIES_COUNT };
#undef POLICIES_CONSTANT

const char *policies_name(uint32_t policy);

struct policy_facts {
    bool measured;
    uint64_t load_bytes;
    uint64_t best_bytes;   /* least peak of a plan that splits nothing; 0 for none */
    uint64_t bound_bytes;  /* no plan under the policy has a lower peak */
    const char *fault;     /* what is wrong with a refused plan, "" where there is none */
    const char *addresses; /* "run-time" where any plan needs it, "static", or "" */
    const struct result_row *strategy[ROLES_STRATEGIES]; /* or NULL */
};

/* The facts of all policies for the instance whose rows start at index `first`, of rows without
   options. Returns the index of the next instance. O(rows of the instance). */
uint32_t policies_find(const struct result_set *set, uint32_t first,
                       struct policy_facts facts[POLICIES_COUNT]);

/* Whether the best plan is proved to be the least. */
bool policies_is_optimum(const struct policy_facts *facts);
/* Whether there are results under two policies, as for instances with branches or loops. */
bool policies_is_wanted(const struct policy_facts facts[POLICIES_COUNT]);

#endif
