#ifndef MEMPLAN_HEURISTICS_POOLS_COMMON_WALK_H
#define MEMPLAN_HEURISTICS_POOLS_COMMON_WALK_H

#include "heuristics/common/treap.h"
#include "heuristics/pools/common/pools.h"

/* The walk that all in-order planners do: it goes through the buffers in the order in which they
   are first written. Before each buffer it hands back the objects of those that are no longer read.
   Then the planner's rule chooses one of the free objects or asks for a new one. */

struct pool_rule {
    void *context;
    /* Chooses a free object for the buffer, which is then no longer free; POOLS_NONE for a new
       one. */
    uint32_t (*take)(void *context, uint32_t buffer);
    /* Called when an object is free again; the buffer was the last one in it. May be NULL. */
    void (*give)(void *context, uint32_t object, uint32_t buffer);
};

struct pool_walk {
    struct scratch *scratch;
    struct pools *pools;
    const uint32_t *order; /* [count] the buffers that are not fixed, by first step */
    uint32_t count;
    const uint64_t *bytes; /* [buffers] the bytes of each as the planner counts them */
    /* [buffers] the order of buffers that end together; NULL: by object */
    const uint32_t *release_rank;
    bool reuse_at_last_step; /* hands back an object one step too early, which is unsafe */
    struct pool_rule rule;
};

/* O(count log count), and what the rule's functions cost. */
enum status pool_walk_run(const struct pool_walk *walk, struct error *error);
/* The same for all buffers that are not fixed: fills order and count first. */
enum status pool_walk_run_all(struct pool_walk *walk, struct error *error);

/* Free objects, each of a class. The one of a class that was handed back last (or first) is taken.
   A class may be a size or a shape. */
struct pool_classes {
    struct treap free;
    const uint64_t *class; /* [buffers] the class of each */
    uint64_t given;
    bool oldest;
};

/* class: borrowed. oldest: the object that was handed back first is taken, else the last one. The
   rule takes an object of the buffer's class in O(log objects) expected. */
enum status pool_classes_create(struct pool_classes *classes, const struct planner_task *task,
                                const uint64_t *class, bool oldest, struct error *error);
struct pool_rule pool_classes_rule(struct pool_classes *classes);

#endif
