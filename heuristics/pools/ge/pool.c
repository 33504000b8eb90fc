/* The pool allocator that an article on Huawei's Graph Engine describes ("GE memory reuse", section
   4): tensors by first step, each into the first pool, in the order of their creation, that is
   large enough and free; else into a new one of its size. Pools never grow.

   The article calls a pool free when the last step of its tensor is <= the first of the next, steps
   of reading and writing included: an operator then writes where it still reads, and two tensors
   written at one step share bytes where one is never read. ge_pool asks for <; ge_pool_published
   does what is written and is unsafe. O(n log n). */

#include "heuristics/common/max_tree.h"
#include "heuristics/common/rows.h"
#include "heuristics/pools/common/walk.h"

struct free_pools {
    const struct pools *pools;
    struct max_tree bytes; /* the bytes of each free pool, by object */
};

static uint32_t take_first(void *context, uint32_t buffer)
{
    struct free_pools *free = context;
    uint64_t bytes = free->pools->problem->size[buffer];
    uint32_t object = max_tree_next(&free->bytes, 0, (int64_t)bytes - 1);
    if (object == MAX_TREE_NONE)
        return POOLS_NONE;
    max_tree_set(&free->bytes, object, INT64_MIN);
    return object;
}

static void give_back(void *context, uint32_t object, uint32_t buffer)
{
    struct free_pools *free = context;
    (void)buffer;
    max_tree_set(&free->bytes, object, (int64_t)free->pools->bytes[object]);
}

static enum status plan_ge_pool(const struct planner *planner, const struct planner_task *task,
                                struct plan *plan, struct error *error)
{
    const bool *reuse_at_last_step = planner->rule;
    const struct problem *problem = task->problem;
    struct pools pools;
    struct free_pools free = {.pools = &pools};
    struct pool_walk walk = {.scratch = task->scratch,
                             .pools = &pools,
                             .bytes = problem->size,
                             .reuse_at_last_step = *reuse_at_last_step,
                             .rule = {&free, take_first, give_back}};
    TRY(pools_create(&pools, task, error));
    TRY(max_tree_create(&free.bytes, problem->buffers, task->scratch, error));
    TRY(pool_walk_run_all(&walk, error));
    return pools_lay_out(&pools, 1, plan, error);
}

static const struct planner rows[] = {
    {POOLS("ge_pool", plan_ge_pool, "first pool that is large enough and free",
           "the GE article, section 4"),
     .rule = &(const bool){false}},
    {.name = "ge_pool_published",
     .family = "pools",
     .title = "the same with <=: an operator may write to what it reads",
     .source = "the GE article, section 4",
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES | PLANNER_POOLED | PLANNER_UNSAFE,
     .rule = &(const bool){true},
     .plan = plan_ge_pool},
};

HEURISTICS_ROWS(ge_pool, rows);
