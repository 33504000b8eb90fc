#include "planning/memories/memory_plan.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

enum status memory_plan_create(const struct memory_problem *problem, struct memory_plan **created,
                               struct error *error)
{
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    TRY(memory_create(&plan, 1, sizeof *plan, error));
    plan->status = PLAN_TIMEOUT;
    plan->buffers = problem->problem->buffers;
    plan->memories = problem->memories;
    TRY(memory_create_all(plan->buffers, error, &plan->memory, &plan->offset));
    TRY(memory_create(&plan->peak, plan->memories, sizeof(uint64_t), error));
    for (uint32_t b = 0; b < plan->buffers; b++)
        plan->memory[b] = MEMORY_NONE;
    HAND_OVER(plan, created);
}

void memory_plan_free(struct memory_plan *plan)
{
    if (!plan)
        return;
    memory_free_all(plan->memory, plan->offset, plan->peak, plan);
}

bool memory_plan_found(const struct memory_plan *plan)
{
    return plan_status_is_found(plan->status);
}

void memory_plan_take(struct memory_plan *plan, const struct memory_plan *other)
{
    assert(plan->buffers == other->buffers && plan->memories == other->memories);
    assert(plan != other);
    memcpy(plan->memory, other->memory, plan->buffers * sizeof *plan->memory);
    memcpy(plan->offset, other->offset, plan->buffers * sizeof *plan->offset);
    memcpy(plan->peak, other->peak, plan->memories * sizeof *plan->peak);
    plan->cost = other->cost;
    plan->status = PLAN_FEASIBLE;
}

uint64_t memory_plan_peaks(const struct memory_plan *plan)
{
    assert(plan->memories > 0);
    uint64_t sum = 0;
    for (uint32_t m = 0; m < plan->memories; m++)
        if (!checked_add(sum, plan->peak[m], &sum))
            return UINT64_MAX;
    return sum;
}
