#include "heuristics/pools/nnvm/pool.h"

#include "core/checked.h"

enum status nnvm_pool_create(struct nnvm_pool *pool, uint32_t buffers, struct error *error)
{
    return treap_create(&pool->free, buffers, error);
}

void nnvm_pool_free(struct nnvm_pool *pool)
{
    treap_free(&pool->free);
}

static bool has_colour(const struct nnvm_pool *pool, uint32_t object, uint32_t colour)
{
    return object != TREAP_NONE && pool->free.node[object].key.group == colour;
}

static uint32_t find_block(const struct nnvm_pool *pool, uint64_t bytes, uint32_t colour)
{
    const struct treap_key key = {colour, bytes, 0};
    uint64_t most;
    if (pool->match_range == 0)
        return POOLS_NONE;
    if (!checked_multiply(bytes, pool->match_range, &most))
        most = UINT64_MAX;
    uint32_t larger = treap_at_least(&pool->free, key);
    if (has_colour(pool, larger, colour) && pool->pools->bytes[larger] <= most)
        return larger;
    uint32_t smaller = treap_below(&pool->free, key);
    if (has_colour(pool, smaller, colour) &&
        pool->pools->bytes[smaller] >= bytes / pool->match_range)
        return smaller;
    return POOLS_NONE;
}

static uint32_t take_block(void *context, uint32_t buffer)
{
    struct nnvm_pool *pool = context;
    uint32_t object = find_block(pool, pool->bytes[buffer], pool->request_colour[buffer]);
    if (object != POOLS_NONE)
        treap_remove(&pool->free, object);
    return object;
}

static void give_block(void *context, uint32_t object, uint32_t buffer)
{
    struct nnvm_pool *pool = context;
    treap_add(&pool->free, object,
              (struct treap_key){pool->release_colour[buffer], pool->pools->bytes[object],
                                 pool->freed++});
}

struct pool_rule nnvm_pool_rule(struct nnvm_pool *pool)
{
    return (struct pool_rule){pool, take_block, give_block};
}
