#include "solvers/exact/incumbent.h"

#include <assert.h>

#include "core/checked.h"
#include "core/clock.h"
#include "planning/verify/problem/plan.h"

bool exact_incumbent_minimises(const struct exact_incumbent *incumbent)
{
    return incumbent->task->capacity_bytes == UINT64_MAX;
}

uint64_t exact_incumbent_enough_bytes(const struct exact_incumbent *incumbent)
{
    return exact_incumbent_minimises(incumbent) ? incumbent->plan->measures.lower_bound_bytes
                                                : incumbent->task->capacity_bytes;
}

uint64_t exact_incumbent_peak_bytes(const struct exact_incumbent *incumbent)
{
    return plan_found(incumbent->plan) ? incumbent->plan->measures.peak_bytes : UINT64_MAX;
}

uint64_t exact_incumbent_deadline_ns(const struct exact_incumbent *incumbent)
{
    uint64_t deadline_ns;
    return checked_add(incumbent->began_ns, incumbent->task->time_limit_ns, &deadline_ns)
               ? deadline_ns
               : UINT64_MAX;
}

bool exact_incumbent_is_solved(const struct exact_incumbent *incumbent)
{
    return incumbent->plan->measures.lower_bound_bytes > incumbent->task->capacity_bytes ||
           exact_incumbent_peak_bytes(incumbent) <= exact_incumbent_enough_bytes(incumbent);
}

enum status exact_incumbent_note(const struct exact_incumbent *incumbent, struct error *error)
{
    const struct search_point point = {.time_ns = clock_monotonic_ns() - incumbent->began_ns,
                                       .peak_bytes = exact_incumbent_peak_bytes(incumbent),
                                       .bound_bytes = incumbent->plan->measures.lower_bound_bytes};
    assert(point.bound_bytes <= point.peak_bytes);
    return search_record_add(incumbent->plan->search, &point, error);
}

enum status exact_incumbent_offer(const struct exact_incumbent *incumbent,
                                  const struct plan *offered, struct error *error)
{
    assert(plan_found(offered) && offered->buffers == incumbent->plan->buffers);
    if (offered->measures.peak_bytes >= exact_incumbent_peak_bytes(incumbent))
        return STATUS_OK;
    assert(offered->measures.peak_bytes >= incumbent->plan->measures.lower_bound_bytes);
    plan_take(incumbent->plan, offered);
    return exact_incumbent_note(incumbent, error);
}

enum status exact_incumbent_offer_offsets(const struct exact_incumbent *incumbent,
                                          struct plan *offered, struct error *error)
{
    offered->status = PLAN_FEASIBLE;
    TRY(plan_set_peak(offered, incumbent->task->problem, error));
    return exact_incumbent_offer(incumbent, offered, error);
}

void exact_incumbent_raise_bound(const struct exact_incumbent *incumbent, uint64_t bound_bytes)
{
    uint64_t peak_bytes = exact_incumbent_peak_bytes(incumbent);
    uint64_t bound = bound_bytes < peak_bytes ? bound_bytes : peak_bytes;
    if (bound > incumbent->plan->measures.lower_bound_bytes)
        incumbent->plan->measures.lower_bound_bytes = bound;
    assert(incumbent->plan->measures.lower_bound_bytes <= peak_bytes);
}

void exact_incumbent_set_status(const struct exact_incumbent *incumbent)
{
    uint64_t capacity_bytes = incumbent->task->capacity_bytes;
    struct plan *plan = incumbent->plan;
    assert(plan->measures.lower_bound_bytes <= exact_incumbent_peak_bytes(incumbent));
    if (plan->measures.lower_bound_bytes > capacity_bytes)
        plan->status = PLAN_INFEASIBLE;
    else if (exact_incumbent_peak_bytes(incumbent) > capacity_bytes)
        plan->status = PLAN_TIMEOUT;
    else if (plan_found(plan) && plan->measures.peak_bytes <= plan->measures.lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
}

enum status exact_ask_helper(struct exact_incumbent *incumbent,
                             const struct exact_question *question, struct error *error)
{
    struct planner_task task = *incumbent->task;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict = {.fault = VERIFY_VALID};
    assert(question->helper);
    task.seed = question->seed;
    task.time_limit_ns = question->limit_ns;
    if (question->starts_from_plan && plan_found(incumbent->plan))
        task.start = incumbent->plan;
    TRY(plan_create(task.problem, &plan, error));
    TRY(planner_plan(question->helper, &task, plan, error));
    assert(plan->buffers == incumbent->plan->buffers);
    if (!plan_found(plan))
        return STATUS_OK;
    TRY(verify_plan(task.problem, plan, &verdict, error));
    return verdict.fault == VERIFY_VALID ? exact_incumbent_offer(incumbent, plan, error)
                                         : STATUS_OK;
}
