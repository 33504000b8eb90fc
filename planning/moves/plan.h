#ifndef MEMPLAN_PLANNING_MOVES_PLAN_H
#define MEMPLAN_PLANNING_MOVES_PLAN_H

#include "planning/moves/problem.h"

/* Where each item is, and when it is copied. A stay is a place of an item in one memory during the
   steps [lower, upper). From step `ready` on it holds the item. The first stay of an item is where
   it is written, or off chip for weights; each other one is filled by a transfer from an earlier
   one, its source. The transfer starts directly before step `lower`, and step `ready` waits for it:
       before step s   wait for what started before an earlier step and is ready now
                       start what has lower = s, in the order of `ready`
                       wait for those of them that are ready now
                       run step s
   Stays that are equal in this come in the order of the list. */
struct move_stay {
    uint32_t item, memory;
    uint32_t source; /* an earlier stay of the list; MEMORY_NONE: the first one of its item */
    uint32_t lower, ready, upper;
    uint64_t offset;
};

static inline bool move_is_first(const struct move_stay *stay)
{
    return stay->source == MEMORY_NONE;
}

struct move_plan {
    struct move_stay *stay; /* [count] */
    uint32_t count;
    size_t capacity;
    uint64_t time, time_bound; /* thousandths of ns; no plan takes less than the bound */
};

enum status move_plan_add(struct move_plan *plan, const struct move_stay *stay,
                          struct error *error);
enum status move_plan_copy(struct move_plan *plan, const struct move_plan *other,
                           struct error *error);
void move_plan_clear(struct move_plan *plan); /* leaves a plan without stays */

#endif
