#ifndef MEMPLAN_HEURISTICS_POOLS_COMMON_POOLS_H
#define MEMPLAN_HEURISTICS_POOLS_COMMON_POOLS_H

#include "planning/plan/planner.h"

/* Objects (pools, storage ids, blocks) that buffers share, and how they become offsets: end to end
   in the order of their creation, above the highest fixed buffer. A buffer takes its object from
   its first step to its last, holes and windows included. Fixed buffers have no object. */

#define POOLS_NONE UINT32_MAX

struct pools {
    const struct problem *problem;
    uint32_t objects;
    uint64_t *bytes;  /* [objects <= buffers] the bytes of each object as the planner counts them */
    uint32_t *object; /* [buffers] the object of each, POOLS_NONE for none */
    uint64_t *inside; /* [buffers] offset inside the object */
};

/* Begins without objects, in the task's scratch. */
enum status pools_create(struct pools *pools, const struct planner_task *task, struct error *error);

/* Makes a new object, at most one for each buffer, and returns its number. */
uint32_t pools_add(struct pools *pools, uint64_t bytes);
/* Puts the buffer at the start of the object, which grows to `bytes` if it is smaller. */
void pools_join(struct pools *pools, uint32_t object, uint32_t buffer, uint64_t bytes);

/* Lists the buffers that are not fixed by first step, ties by position, in order[*count], which has
   room for all buffers. O(n). */
enum status pools_in_order(const struct problem *problem, uint32_t *order, uint32_t *count,
                           struct error *error);
/* Fills the plan, storage ids too: an object is as long as its buffers need, rounded up to
   granule_bytes (at least 1), and starts where the alignments of all of them allow. pool_bytes is
   the sum of pools->bytes. PLAN_UNSUPPORTED where some end does not fit into 2^63 bytes. O(n). */
enum status pools_lay_out(const struct pools *pools, uint64_t granule_bytes, struct plan *plan,
                          struct error *error);

/* Members of struct planner that all rows of pool planners have in common. */
#define POOLS(name_, plan_, title_, source_)                                                       \
    .name = name_, .family = "pools", .title = title_, .source = source_,                          \
    .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES | PLANNER_POOLED, .plan = plan_

#endif
