#include "heuristics/pools/common/walk.h"

#include <assert.h>

/* The objects in use, sorted by the step at which they are handed back. */
struct busy {
    struct treap set;
    uint32_t *holder; /* [objects] the buffer in each */
};

static void release_ended(const struct pool_walk *walk, struct busy *busy, uint32_t step)
{
    for (uint32_t object = treap_first(&busy->set);
         object != TREAP_NONE && busy->set.node[object].key.group <= step;
         object = treap_first(&busy->set)) {
        treap_remove(&busy->set, object);
        if (walk->rule.give)
            walk->rule.give(walk->rule.context, object, busy->holder[object]);
    }
}

static void request_object(const struct pool_walk *walk, struct busy *busy, uint32_t buffer)
{
    const struct problem *problem = walk->pools->problem;
    uint32_t object = walk->rule.take(walk->rule.context, buffer);
    uint32_t end = problem_upper(problem, buffer) - (walk->reuse_at_last_step ? 1 : 0);
    uint32_t rank = walk->release_rank ? walk->release_rank[buffer] : 0;
    if (object == POOLS_NONE)
        object = pools_add(walk->pools, 0);
    assert(problem_fixed_offset(walk->pools->problem, buffer) == PROBLEM_FREE);
    pools_join(walk->pools, object, buffer, walk->bytes[buffer]);
    busy->holder[object] = buffer;
    treap_add(&busy->set, object, (struct treap_key){end, rank, object});
}

enum status pool_walk_run(const struct pool_walk *walk, struct error *error)
{
    const struct problem *problem = walk->pools->problem;
    struct busy busy;
    TRY(treap_create(&busy.set, problem->buffers, walk->scratch, error));
    TRY(scratch_take(walk->scratch, &busy.holder, problem->buffers, sizeof *busy.holder, error));
    for (uint32_t i = 0; i < walk->count; i++) {
        release_ended(walk, &busy, problem_lower(problem, walk->order[i]));
        request_object(walk, &busy, walk->order[i]);
    }
    return STATUS_OK;
}

enum status pool_walk_run_all(struct pool_walk *walk, struct error *error)
{
    const struct problem *problem = walk->pools->problem;
    uint32_t *order;
    TRY(scratch_take(walk->scratch, &order, problem->buffers, sizeof *order, error));
    TRY(pools_in_order(problem, order, &walk->count, error));
    walk->order = order;
    return pool_walk_run(walk, error);
}

enum status pool_classes_create(struct pool_classes *classes, const struct planner_task *task,
                                const uint64_t *class, bool oldest, struct error *error)
{
    *classes = (struct pool_classes){.class = class, .oldest = oldest};
    return treap_create(&classes->free, task->problem->buffers, task->scratch, error);
}

static uint32_t take_of_class(void *context, uint32_t buffer)
{
    struct pool_classes *classes = context;
    uint64_t class = classes->class[buffer];
    uint32_t object = classes->oldest
                          ? treap_at_least(&classes->free, (struct treap_key){class, 0, 0})
                          : treap_below(&classes->free, (struct treap_key){class, UINT64_MAX, 0});
    if (object == TREAP_NONE || classes->free.node[object].key.group != class)
        return POOLS_NONE;
    treap_remove(&classes->free, object);
    return object;
}

static void give_to_class(void *context, uint32_t object, uint32_t buffer)
{
    struct pool_classes *classes = context;
    treap_add(&classes->free, object,
              (struct treap_key){classes->class[buffer], classes -> given++, 0});
}

struct pool_rule pool_classes_rule(struct pool_classes *classes)
{
    return (struct pool_rule){classes, take_of_class, give_to_class};
}
