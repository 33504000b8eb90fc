#ifndef MEMPLAN_RESULTS_VIEWS_STREAMS_H
#define MEMPLAN_RESULTS_VIEWS_STREAMS_H

#include "results/store/query.h"

/* What the results say of one instance on several streams under the policies for streams, for the
   tables and the figure that compare them. */

/* The policies in the order in which they are shown. tests/harness/catalogue/test_registry.c checks
   that planning/policies has these names. */
#define STREAMS_EACH(POLICY)                                                                       \
    POLICY(STREAMS, "streams")                                                                     \
    POLICY(LAG_16, "lag_16")                                                                       \
    POLICY(LAG_4, "lag_4")                                                                         \
    POLICY(SERIALISED, "serialised")                                                               \
    POLICY(WAVES, "waves")                                                                         \
    POLICY(PER_STREAM, "per_stream")                                                               \
    POLICY(STREAMS_INTERVAL, "streams_interval")                                                   \
    POLICY(LAUNCH_ORDER, "launch_order")

#define STREAMS_CONSTANT(constant, name) STREAMS_##constant,
enum { STREAMS_EACH(STREAMS_CONSTANT) STREAMS_COUNT };
#undef STREAMS_CONSTANT

const char *streams_policy(uint32_t policy);

struct stream_facts {
    /* The row with the least peak; among several, the one with the shortest critical path. A row
       with a refused plan only where there is no other. NULL for none. */
    const struct result_row *best[STREAMS_COUNT];
    uint64_t bound_bytes[STREAMS_COUNT]; /* no plan under the policy has less */
    /* The least peak on one stream under any policy; 0 where it is not known or no planner has a
       plan under the policy `streams`. */
    uint64_t one_bytes;
};

/* The facts of the instance whose rows start at index `first`, of rows without options. Returns the
   index of the next instance. O(rows of the instance), or O(rows) where the policy `streams` has a
   plan. */
uint32_t streams_find(const struct result_set *set, uint32_t first, struct stream_facts *facts);

/* How many streams the instance's name asks for; 0 where it does not say. */
uint32_t streams_count(const char *instance);

/* Whether there is a plan under the policy `streams`, with which the others are compared. */
bool streams_is_wanted(const struct stream_facts *facts);

/* Bytes and critical path in relation to those under `streams`. false where the policy has no plan
   or the critical paths are not known. A refused plan has them, too. */
struct stream_ratio {
    double bytes, time;
    bool refused, proved;
};
bool streams_compare(const struct stream_facts *facts, unsigned policy, struct stream_ratio *ratio);

#endif
