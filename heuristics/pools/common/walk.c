#include "heuristics/pools/common/walk.h"

#include <assert.h>

enum status pool_walk_run(const struct pool_walk *walk, struct error *error)
{
    const struct problem *problem = walk->pools->problem;
    const struct pool_rule *rule = &walk->rule;
    struct treap busy; /* the objects in use, sorted by the step at which they are handed back */
    uint32_t *holder;  /* [objects] the buffer in each */
    TRY(treap_create(&busy, problem->buffers, walk->scratch, error));
    TRY(scratch_take(walk->scratch, &holder, problem->buffers, sizeof *holder, error));
    for (uint32_t i = 0; i < walk->count; i++) {
        uint32_t buffer = walk->order[i], object;
        while ((object = treap_first(&busy)) != TREAP_NONE &&
               busy.node[object].key.group <= problem_lower(problem, buffer)) {
            treap_remove(&busy, object);
            if (rule->give)
                rule->give(rule->context, object, holder[object]);
        }
        object = rule->take(rule->context, buffer);
        if (object == POOLS_NONE)
            object = pools_add(walk->pools, 0);
        assert(problem_fixed_offset(problem, buffer) == PROBLEM_FREE);
        pools_join(walk->pools, object, buffer, walk->bytes[buffer]);
        holder[object] = buffer;
        uint32_t end = problem_upper(problem, buffer) - (walk->reuse_at_last_step ? 1 : 0);
        uint32_t rank = walk->release_rank ? walk->release_rank[buffer] : 0;
        treap_add(&busy, object, (struct treap_key){end, rank, object});
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
