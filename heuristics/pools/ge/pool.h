#ifndef MEMPLAN_HEURISTICS_POOLS_GE_POOL_H
#define MEMPLAN_HEURISTICS_POOLS_GE_POOL_H

#include "planning/plan/planner.h"

/* The pool allocator that an article on Huawei's Graph Engine describes ("GE memory reuse", section
   4): tensors by first step, each into the first pool, in the order of their creation, that is
   large enough and free; else into a new one of its size. Pools never grow.

   The article calls a pool free when the last step of its tensor is <= the first of the next, steps
   of reading and writing included: an operator then writes where it still reads, and two tensors
   written at one step share bytes where one is never read. ge_pool asks for <; ge_pool_published
   does what is written and is unsafe. O(n log n). */
enum status ge_pool_plan(const struct planner *planner, const struct planner_task *task,
                         struct plan *plan, struct error *error);

/* planner->rule is one. */
struct ge_pool_rule {
    bool reuse_at_last_step;
};

#endif
