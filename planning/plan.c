#include "planning/plan.h"

#include "core/checked.h"
#include "core/memory.h"

enum status plan_create(const struct problem *problem, struct plan **created, struct error *error)
{
    struct plan *plan;
    TRY(memory_create(&plan, 1, sizeof *plan, error));
    plan->status = PLAN_TIMEOUT;
    plan->buffers = problem->buffers;
    plan->offset = memory_allocate(problem->buffers, sizeof *plan->offset);
    if (!plan->offset) {
        memory_free(plan);
        return error_no_memory(error);
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = PROBLEM_FREE;
    *created = plan;
    return STATUS_OK;
}

void plan_free(struct plan *plan)
{
    if (plan)
        memory_free(plan->offset);
    memory_free(plan);
}

bool plan_found(const struct plan *plan)
{
    return plan->status == PLAN_OPTIMAL || plan->status == PLAN_FEASIBLE;
}

enum status plan_set_peak(struct plan *plan, const struct problem *problem, struct error *error)
{
    plan->peak_bytes = 0;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint64_t end;
        if (plan->offset[b] == PROBLEM_FREE)
            return error_set(error, STATUS_INTERNAL, "buffer '%s' was given no offset",
                             names_get(&problem->names, b));
        if (!checked_add(plan->offset[b], problem->size[b], &end))
            return error_set(error, STATUS_INTERNAL, "buffer '%s' ends beyond 2^64 bytes",
                             names_get(&problem->names, b));
        if (end > plan->peak_bytes)
            plan->peak_bytes = end;
    }
    return STATUS_OK;
}

const char *plan_status_name(enum plan_status status)
{
    static const char *const names[] = {"optimal",     "feasible", "infeasible", "timeout",
                                        "unsupported", "gave_up",  "memout",     "crash"};
    return names[status];
}
