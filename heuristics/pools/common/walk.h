#ifndef MEMPLAN_HEURISTICS_POOLS_COMMON_WALK_H
#define MEMPLAN_HEURISTICS_POOLS_COMMON_WALK_H

#include "heuristics/common/treap.h"
#include "heuristics/pools/common/pools.h"

/* What all in-order planners do: go through the buffers in the order in which they are first
   written; before each, hand back the objects of those that are no longer read; then let the rule
   choose among the free objects or make a new one. */

struct pool_rule {
    void *context;
    /* A free object for the buffer, no longer free then, or POOLS_NONE for a new one. */
    uint32_t (*take)(void *context, uint32_t buffer);
    /* The object is free again; the buffer was the last in it. May be NULL. */
    void (*give)(void *context, uint32_t object, uint32_t buffer);
};

struct pool_walk {
    struct pools *pools;
    const uint32_t *order; /* [count] free buffers by first step */
    uint32_t count;
    const uint64_t *bytes; /* [buffers] as the planner counts them */
    const uint32_t
        *release_rank;       /* [buffers] order of those that end together, or NULL: by object */
    bool reuse_at_last_step; /* hands back an object a step too early: unsafe */
    struct pool_rule rule;
};

/* O(count log count) and the rule's own costs. */
enum status pool_walk_run(const struct pool_walk *walk, struct error *error);

/* Free objects of a class, of which the one handed back last (or first) is taken: equal sizes,
   equal shapes. */
struct pool_classes {
    struct treap free;
    const uint64_t *class; /* [buffers] */
    uint64_t given;
    bool oldest;
};

enum status pool_classes_create(struct pool_classes *classes, uint32_t buffers,
                                const uint64_t *class, bool oldest, struct error *error);
void pool_classes_free(struct pool_classes *classes);
struct pool_rule pool_classes_rule(struct pool_classes *classes);

#endif
