#include "heuristics/ge_pool.h"

#include "core/memory.h"
#include "heuristics/pool_walk.h"

/* The bytes of free pools in a tree: node i is the greatest of its children 2i and 2i + 1, leaf
   leaves + o is pool o, 0 while it is in use. */
struct free_pools {
    const struct pools *pools;
    uint64_t *most; /* [2 * leaves] */
    uint32_t leaves;
};

static void set_free_bytes(struct free_pools *free, uint32_t object, uint64_t bytes)
{
    uint32_t i = free->leaves + object;
    free->most[i] = bytes;
    for (i /= 2; i; i /= 2)
        free->most[i] =
            free->most[2 * i] > free->most[2 * i + 1] ? free->most[2 * i] : free->most[2 * i + 1];
}

static uint32_t take_first(void *context, uint32_t buffer)
{
    struct free_pools *free = context;
    uint64_t bytes = free->pools->problem->size[buffer];
    uint32_t node = 1;
    if (free->most[1] < bytes)
        return POOLS_NONE;
    while (node < free->leaves)
        node = 2 * node + (free->most[2 * node] < bytes);
    set_free_bytes(free, node - free->leaves, 0);
    return node - free->leaves;
}

static void give_back(void *context, uint32_t object, uint32_t buffer)
{
    struct free_pools *free = context;
    (void)buffer;
    set_free_bytes(free, object, free->pools->bytes[object]);
}

static enum status create_free_pools(struct free_pools *free, const struct pools *pools,
                                     struct error *error)
{
    *free = (struct free_pools){.pools = pools, .leaves = 1};
    while (free->leaves < pools->problem->buffers)
        free->leaves *= 2;
    return memory_create(&free->most, (size_t)free->leaves * 2, sizeof *free->most, error);
}

enum status ge_pool_plan(const struct planner *planner, const struct planner_task *task,
                         struct plan *plan, struct error *error)
{
    const struct ge_pool_rule *rule = planner->rule;
    const struct problem *problem = task->problem;
    struct pools pools;
    struct free_pools free = {0};
    struct pool_walk walk = {.pools = &pools,
                             .bytes = problem->size,
                             .reuse_at_last_step = rule->reuse_at_last_step,
                             .rule = {&free, take_first, give_back}};
    uint32_t *order = NULL;
    enum status status;
    TRY(pools_create(&pools, problem, error));
    TRY_OR_DONE(status, create_free_pools(&free, &pools, error));
    TRY_OR_DONE(status, memory_create(&order, problem->buffers, sizeof *order, error));
    TRY_OR_DONE(status, pools_in_order(problem, order, &walk.count, error));
    walk.order = order;
    TRY_OR_DONE(status, pool_walk_run(&walk, error));
    TRY_OR_DONE(status, pools_lay_out(&pools, 1, plan, error));
done:
    memory_free(order);
    memory_free(free.most);
    pools_free(&pools);
    return status;
}
