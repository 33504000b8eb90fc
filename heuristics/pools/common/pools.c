#include "heuristics/pools/common/pools.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "heuristics/common/order.h"

enum status pools_create(struct pools *pools, const struct planner_task *task, struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    assert(task->scratch); /* planner_plan gives it */
    *pools = (struct pools){.problem = task->problem};
    TRY(scratch_take_all(task->scratch, buffers, error, &pools->bytes, &pools->object,
                         &pools->inside));
    for (uint32_t b = 0; b < buffers; b++)
        pools->object[b] = POOLS_NONE;
    return STATUS_OK;
}

uint32_t pools_add(struct pools *pools, uint64_t bytes)
{
    assert(pools->objects < pools->problem->buffers);
    pools->bytes[pools->objects] = bytes;
    return pools->objects++;
}

void pools_join(struct pools *pools, uint32_t object, uint32_t buffer, uint64_t bytes)
{
    assert(object < pools->objects);
    pools->object[buffer] = object;
    pools->inside[buffer] = 0;
    if (pools->bytes[object] < bytes)
        pools->bytes[object] = bytes;
}

enum status pools_in_order(const struct problem *problem, uint32_t *order, uint32_t *count,
                           struct error *error)
{
    static const struct order by_first_step = {.key = {{ORDER_BY_FIRST_STEP, false}}};
    TRY(order_sort(&by_first_step, problem, 0, order, error));
    *count = order_drop_fixed(problem, order);
    return STATUS_OK;
}

/* The bytes and the alignment that the buffers of an object need. */
struct need {
    uint64_t bytes, alignment;
};

static bool find_needs(const struct pools *pools, struct need *need)
{
    const struct problem *problem = pools->problem;
    for (uint32_t o = 0; o < pools->objects; o++)
        need[o] = (struct need){0, 1};
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t end;
        if (pools->object[b] == POOLS_NONE)
            continue;
        struct need *of = &need[pools->object[b]];
        if (!checked_add(pools->inside[b], problem->size[b], &end) ||
            !checked_common_multiple(of->alignment, problem_alignment(problem, b), &of->alignment))
            return false;
        if (of->bytes < end)
            of->bytes = end;
    }
    return true;
}

/* The objects are laid end to end; need[].bytes, the length of each, is replaced by its offset. */
enum status pools_lay_out(const struct pools *pools, uint64_t granule_bytes, struct plan *plan,
                          struct error *error)
{
    SCOPED(memory_release) struct need *need = NULL;
    uint64_t end = problem_fixed_end(pools->problem), bytes, start, sum = 0;
    TRY(memory_create(&need, pools->objects, sizeof *need, error));
    plan->status = PLAN_UNSUPPORTED;
    if (!find_needs(pools, need))
        return STATUS_OK;
    for (uint32_t o = 0; o < pools->objects; o++) {
        if (!checked_align(need[o].bytes, granule_bytes, &bytes) ||
            !checked_align(end, need[o].alignment, &start) || !checked_add(start, bytes, &end) ||
            end > INT64_MAX || !checked_add(sum, pools->bytes[o], &sum) || sum > INT64_MAX)
            return STATUS_OK;
        need[o].bytes = start;
    }
    plan->status = PLAN_FEASIBLE;
    plan->measures.pools = pools->objects;
    plan->measures.pool_bytes = sum;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint32_t object = pools->object[b];
        bool none = object == POOLS_NONE;
        assert(none || object < pools->objects);
        plan->offset[b] =
            none ? problem_fixed_offset(pools->problem, b) : need[object].bytes + pools->inside[b];
        TRY(storage_ids_set(&plan->storage_id, plan->buffers, b, none ? STORAGE_IDS_NONE : object,
                            error));
    }
    return plan_set_peak(plan, pools->problem, error);
}
