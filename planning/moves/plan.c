#include "planning/moves/plan.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

enum status move_plan_add(struct move_plan *plan, const struct move_stay *stay, struct error *error)
{
    assert(stay->source == MEMORY_NONE || stay->source < plan->count);
    TRY(memory_reserve(&plan->stay, &plan->capacity, (size_t)plan->count + 1, sizeof *plan->stay,
                       error));
    plan->stay[plan->count++] = *stay;
    return STATUS_OK;
}

enum status move_plan_copy(struct move_plan *plan, const struct move_plan *other,
                           struct error *error)
{
    assert(other != plan);
    TRY(memory_reserve(&plan->stay, &plan->capacity, (size_t)other->count + 1, sizeof *plan->stay,
                       error));
    if (other->count)
        memcpy(plan->stay, other->stay, other->count * sizeof *plan->stay);
    plan->count = other->count;
    plan->time = other->time;
    plan->time_bound = other->time_bound;
    return STATUS_OK;
}

void move_plan_clear(struct move_plan *plan)
{
    memory_free(plan->stay);
    *plan = (struct move_plan){.stay = NULL};
}
