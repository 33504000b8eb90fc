/* Two rules of the TensorFlow Lite GPU delegate for shared objects that are filled in execution
   order (LiteRT delegates/gpu/common/memory_management). An object is free once its last reader has
   run.

   Equality: a free object of exactly the same size, the one freed last first; else a new one.
   O(n log n).

   Greedy in order: any free object before a new one. It is the smallest that is large enough (the
   first of equals), or, where its size is strictly closer, the largest that is not (the last of
   equals), which grows. O(n log n). */

#include "heuristics/common/rows.h"
#include "heuristics/pools/common/walk.h"

static enum status walk_in_order(const struct planner_task *task, const struct pool_rule *rule,
                                 struct pools *pools, struct plan *plan, struct error *error)
{
    struct pool_walk walk = {
        .scratch = task->scratch, .pools = pools, .bytes = task->problem->size, .rule = *rule};
    TRY(pool_walk_run_all(&walk, error));
    return pools_lay_out(pools, 1, plan, error);
}

static enum status plan_objects_equality(const struct planner *planner,
                                         const struct planner_task *task, struct plan *plan,
                                         struct error *error)
{
    struct pool_classes classes;
    struct pools pools;
    (void)planner;
    TRY(pools_create(&pools, task, error));
    TRY(pool_classes_create(&classes, task, task->problem->size, false, error));
    const struct pool_rule rule = pool_classes_rule(&classes);
    return walk_in_order(task, &rule, &pools, plan, error);
}

struct closest {
    const struct pools *pools;
    struct treap free; /* free objects, ordered by bytes, then by number */
};

static uint32_t take_closest(void *context, uint32_t buffer)
{
    struct closest *closest = context;
    const uint64_t *has = closest->pools->bytes, bytes = closest->pools->problem->size[buffer];
    const struct treap_key key = {bytes, 0, 0};
    uint32_t larger = treap_at_least(&closest->free, key);
    uint32_t smaller = treap_below(&closest->free, key), object = larger;
    if (larger == TREAP_NONE ||
        (smaller != TREAP_NONE && bytes - has[smaller] < has[larger] - bytes))
        object = smaller;
    if (object == TREAP_NONE)
        return POOLS_NONE;
    treap_remove(&closest->free, object);
    return object;
}

static void give_closest(void *context, uint32_t object, uint32_t buffer)
{
    struct closest *closest = context;
    (void)buffer;
    treap_add(&closest->free, object, (struct treap_key){closest->pools->bytes[object], object, 0});
}

static enum status plan_objects_greedy_in_order(const struct planner *planner,
                                                const struct planner_task *task, struct plan *plan,
                                                struct error *error)
{
    struct pools pools;
    struct closest closest = {.pools = &pools};
    const struct pool_rule rule = {&closest, take_closest, give_closest};
    (void)planner;
    TRY(pools_create(&pools, task, error));
    TRY(treap_create(&closest.free, task->problem->buffers, task->scratch, error));
    return walk_in_order(task, &rule, &pools, plan, error);
}

static const struct planner rows[] = {
    {POOLS("objects_equality", plan_objects_equality,
           "free object of the same size, else a new one",
           "LiteRT delegates/gpu/common/memory_management/equality_assignment.h")},
    {POOLS("objects_greedy_in_order", plan_objects_greedy_in_order,
           "free object of the closest size, which grows",
           "LiteRT delegates/gpu/common/memory_management/greedy_in_order_assignment.h")},
};

HEURISTICS_ROWS(objects_in_order, rows);
