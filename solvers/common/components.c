#include "solvers/common/components.h"

#include "planning/problem/unit.h"
#include "planning/verify/plan.h"

enum status parts_find_start(const struct planner_task *task, const struct plan **start,
                             struct error *error)
{
    struct verdict verdict;
    *start = NULL;
    if (!task->start || !plan_found(task->start))
        return STATUS_OK;
    TRY(verify_plan(task->problem, task->start, &verdict, error));
    if (verdict.fault == VERIFY_VALID)
        *start = task->start;
    return STATUS_OK;
}

enum status parts_create(const struct problem *problem, uint64_t bound_bytes, struct parts *parts,
                         struct error *error)
{
    *parts = (struct parts){.problem = problem};
    TRY(reduction_create(problem, bound_bytes, problem_unit_bytes(problem), &parts->reduction,
                         error));
    parts->count = parts->reduction->components;
    return STATUS_OK;
}

void parts_clear(struct parts *parts)
{
    reduction_free(parts->reduction);
}

enum status parts_solve(const struct parts *parts, uint32_t part, parts_visit *visit, void *context,
                        struct error *error)
{
    struct problem *problem;
    TRY(reduction_extract(parts->reduction, parts->problem, part, &problem, error));
    enum status status = visit(context, part, problem, error);
    problem_free(problem);
    return status;
}

/* The part's buffers; how many they are in *count. */
static const uint32_t *get_buffers(const struct parts *parts, uint32_t part, uint32_t *count)
{
    const uint32_t *first = &parts->reduction->first[part];
    *count = first[1] - first[0];
    return parts->reduction->kept + first[0];
}

uint64_t parts_peak_bytes(const struct parts *parts, uint32_t part, const struct plan *whole)
{
    uint32_t count;
    const uint32_t *buffer = get_buffers(parts, part, &count);
    uint64_t peak = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = whole->offset[buffer[i]] + parts->problem->size[buffer[i]];
        peak = end > peak ? end : peak;
    }
    return peak;
}

void parts_take(const struct parts *parts, uint32_t part, const struct plan *whole,
                uint64_t *offset)
{
    uint32_t count;
    const uint32_t *buffer = get_buffers(parts, part, &count);
    for (uint32_t i = 0; i < count; i++)
        offset[i] = whole->offset[buffer[i]];
}

void parts_put(const struct parts *parts, uint32_t part, const uint64_t *offset,
               uint64_t unit_bytes, struct plan *whole)
{
    uint32_t count;
    const uint32_t *buffer = get_buffers(parts, part, &count);
    for (uint32_t i = 0; i < count; i++)
        whole->offset[buffer[i]] = offset[i] * unit_bytes;
}

enum status parts_finish(const struct parts *parts, struct plan *whole, struct error *error)
{
    TRY(reduction_place_waiting(parts->reduction, parts->problem, whole, error));
    return plan_set_peak(whole, parts->problem, error);
}
