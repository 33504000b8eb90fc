#include "planning/plan/plan.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/problem/bounds.h"

enum status plan_create(const struct problem *problem, struct plan **created, struct error *error)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(memory_create(&plan, 1, sizeof *plan, error));
    plan->status = PLAN_TIMEOUT;
    plan->buffers = problem->buffers;
    TRY(memory_create(&plan->offset, problem->buffers, sizeof *plan->offset, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = PROBLEM_FREE;
    HAND_OVER(plan, created);
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    memory_free(plan->offset);
    extents_free(plan->extents);
    memory_free(plan->storage_id);
    search_record_free(plan->search);
    memory_free(plan);
}

bool plan_status_is_found(enum plan_status status)
{
    assert(status < PLAN_STATUSES);
    return status == PLAN_OPTIMAL || status == PLAN_FEASIBLE;
}

bool plan_found(const struct plan *plan)
{
    return plan_status_is_found(plan->status);
}

enum status plan_complete(struct plan *plan, const struct problem *problem, struct error *error)
{
    struct measures *measures = &plan->measures;
    assert(plan->buffers == problem->buffers);
    measures->naive_bytes = problem_naive_bytes(problem);
    TRY(problem_load(problem, &measures->load_bytes, NULL, error));
    assert(measures->load_bytes <= measures->naive_bytes);
    if (measures->lower_bound_bytes < measures->load_bytes)
        measures->lower_bound_bytes = measures->load_bytes;
    if (!plan_found(plan))
        measures->peak_bytes = measures->pool_bytes = measures->pools = 0;
    return STATUS_OK;
}

void plan_take(struct plan *plan, const struct plan *other)
{
    assert(plan != other && !plan->extents);
    assert(plan->buffers == other->buffers && !other->extents);
    memcpy(plan->offset, other->offset, plan->buffers * sizeof *plan->offset);
    memory_free(plan->storage_id);
    plan->storage_id = NULL;
    plan->measures.peak_bytes = other->measures.peak_bytes;
    plan->status = PLAN_FEASIBLE;
}

enum status plan_add_extent(struct plan *plan, uint32_t buffer, uint64_t offset, uint64_t bytes,
                            struct error *error)
{
    assert(buffer < plan->buffers && bytes > 0);
    if (!extents_count(plan->extents, buffer))
        plan->offset[buffer] = offset;
    return extents_add(&plan->extents, plan->buffers, buffer, (struct extent){offset, bytes},
                       error);
}

struct extents_walk plan_begin(const struct plan *plan, uint32_t buffer, uint64_t lower,
                               uint64_t upper)
{
    assert(buffer < plan->buffers);
    return extents_begin(plan->extents, buffer, plan->offset[buffer], lower, upper);
}

enum status plan_set_peak(struct plan *plan, const struct problem *problem, struct error *error)
{
    assert(plan->buffers == problem->buffers);
    plan->measures.peak_bytes = 0;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        struct extents_walk walk = plan_begin(plan, b, 0, problem->size[b]);
        struct extent extent;
        uint64_t end;
        if (plan->offset[b] == PROBLEM_FREE)
            return error_set(error, STATUS_INTERNAL, "buffer '%s' was given no offset",
                             names_get(&problem->names, b));
        while (extents_next(&walk, &extent)) {
            if (!checked_add(extent.offset, extent.bytes, &end))
                return error_set(error, STATUS_INTERNAL, "buffer '%s' ends beyond 2^64 bytes",
                                 names_get(&problem->names, b));
            if (end > plan->measures.peak_bytes)
                plan->measures.peak_bytes = end;
        }
    }
    return STATUS_OK;
}

enum status plan_set_feasible(struct plan *plan, const struct problem *problem, struct error *error)
{
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, problem, error);
}

const char *plan_status_name(enum plan_status status)
{
    static const char *const names[] = {"optimal",     "feasible", "infeasible", "timeout",
                                        "unsupported", "gave_up",  "memout",     "crash"};
    assert(status < PLAN_STATUSES);
    return names[status];
}
