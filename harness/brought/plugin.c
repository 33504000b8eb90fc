#include "harness/brought/plugin.h"

#include "core/checked.h"
#include "memplan/plugin.h"
#include "planning/order/order_load.h"

static enum status refuse(const struct plugin_row *row, const char *what, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: %s %s %s", row->path,
                     row->planner ? "planner" : "order",
                     row->planner ? row->planner->name : row->order->name, what);
}

/* Fails where a function of a plug-in says that it failed. */
static enum status check_failure(const struct plugin_row *row, int result, const char message[256],
                                 struct error *error)
{
    if (result == MEMPLAN_NO_MEMORY)
        return error_no_memory(error);
    if (result != MEMPLAN_FAILED)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: %s %s failed: %.256s", row->path,
                     row->planner ? "planner" : "order",
                     row->planner ? row->planner->name : row->order->name, message);
}

static enum status take_reply(const struct plugin_row *row, const struct planner_task *task,
                              int result, const struct memplan_answer *answer, struct plan *plan,
                              struct error *error)
{
    static const enum plan_status statuses[] = {
        [MEMPLAN_FOUND] = PLAN_FEASIBLE,        [MEMPLAN_OPTIMAL] = PLAN_OPTIMAL,
        [MEMPLAN_INFEASIBLE] = PLAN_INFEASIBLE, [MEMPLAN_GAVE_UP] = PLAN_GAVE_UP,
        [MEMPLAN_TIMEOUT] = PLAN_TIMEOUT,       [MEMPLAN_UNSUPPORTED] = PLAN_UNSUPPORTED};
    TRY(check_failure(row, result, answer->message, error));
    if (result < 0 || result > MEMPLAN_UNSUPPORTED)
        return error_set(error, STATUS_BAD_INPUT, "%s: planner %s answered %d, expected 0 to %d",
                         row->path, row->planner->name, result, (int)MEMPLAN_FAILED);
    plan->status = statuses[result];
    plan->measures.nodes = answer->nodes;
    plan->measures.lower_bound_bytes = answer->lower_bound_bytes;
    if (plan_found(plan)) {
        const struct problem *problem = task->problem;
        uint64_t end;
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (plan->offset[b] == PROBLEM_FREE ||
                !checked_add(plan->offset[b], problem->size[b], &end) || end > INT64_MAX)
                return error_set(
                    error, STATUS_BAD_INPUT,
                    "%s: planner %s left buffer %u ('%s') without a place below 2^63 bytes",
                    row->path, row->planner->name, b, names_get(&problem->names, b));
        TRY(plan_set_peak(plan, problem, error));
    }
    if (plan->status == PLAN_OPTIMAL)
        plan->measures.lower_bound_bytes = plan->measures.peak_bytes;
    /* Checks what can be recognised as wrong without knowing the optimum. */
    uint64_t claimed_bytes = plan->measures.lower_bound_bytes;
    bool proves = plan->status == PLAN_OPTIMAL || plan->status == PLAN_INFEASIBLE;
    if (proves && !(row->planner->flags & MEMPLAN_EXACT))
        return refuse(row, "proved something, but has not the flag MEMPLAN_EXACT", error);
    if (plan->status == PLAN_INFEASIBLE && task->capacity_bytes == UINT64_MAX)
        return refuse(row, "says that nothing fits, but there is no capacity", error);
    if (plan_found(plan) && claimed_bytes > plan->measures.peak_bytes)
        return refuse(row, "claims a lower bound above its own peak", error);
    if (claimed_bytes > INT64_MAX || plan->measures.nodes > INT64_MAX)
        return refuse(row, "claims a lower bound or nodes of 2^63 or more", error);
    return STATUS_OK;
}

/* A copy of an array that a problem has only where it says something; plug-ins get it in any
   case. */
static enum status copy_usual(struct scratch *scratch, const struct problem *problem,
                              uint32_t count, uint64_t (*get)(const struct problem *, uint32_t),
                              uint64_t **copy, struct error *error)
{
    TRY(scratch_take(scratch, copy, count, sizeof **copy, error));
    for (uint32_t i = 0; i < count; i++)
        (*copy)[i] = get(problem, i);
    return STATUS_OK;
}

enum status plugin_plan(const struct planner *planner, const struct planner_task *task,
                        struct plan *plan, struct error *error)
{
    const struct plugin_row *row = planner->rule;
    const struct problem *problem = task->problem;
    uint32_t buffers = problem->buffers, segments = problem->segments;
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t *alignment, *fixed_offset, *lower, *upper;
    plan->status = PLAN_OPTIMAL;
    if (!buffers)
        return plan_set_peak(plan, problem, error);
    TRY(copy_usual(&scratch, problem, buffers, problem_alignment, &alignment, error));
    TRY(copy_usual(&scratch, problem, buffers, problem_fixed_offset, &fixed_offset, error));
    TRY(copy_usual(&scratch, problem, segments, problem_window_lower, &lower, error));
    TRY(copy_usual(&scratch, problem, segments, problem_window_upper, &upper, error));
    const struct memplan_problem given = {.struct_bytes = sizeof given,
                                          .buffers = buffers,
                                          .segments = segments,
                                          .size = problem->size,
                                          .alignment = alignment,
                                          .fixed_offset = fixed_offset,
                                          .first = problem->first,
                                          .lower = problem->lower,
                                          .upper = problem->upper,
                                          .window_lower = lower,
                                          .window_upper = upper,
                                          .capacity_bytes = task->capacity_bytes,
                                          .time_limit_ns = task->time_limit_ns,
                                          .seed = task->seed,
                                          .threads = task->threads};
    struct memplan_answer answer = {.struct_bytes = sizeof answer, .offset = plan->offset};
    int result = (int)row->planner->plan(row->planner, &given, &answer);
    return take_reply(row, task, result, &answer, plan, error);
}

enum status plugin_order(const struct order_row *order, const struct order_task *task,
                         uint32_t *permutation, struct order_report *report, struct error *error)
{
    static const enum plan_status statuses[] = {
        [MEMPLAN_FOUND] = PLAN_FEASIBLE,         [MEMPLAN_OPTIMAL] = PLAN_OPTIMAL,
        [MEMPLAN_INFEASIBLE] = PLAN_UNSUPPORTED, [MEMPLAN_GAVE_UP] = PLAN_UNSUPPORTED,
        [MEMPLAN_TIMEOUT] = PLAN_TIMEOUT,        [MEMPLAN_UNSUPPORTED] = PLAN_UNSUPPORTED};
    const struct plugin_row *row = order->rule;
    const struct order_view *view = task->view;
    const struct memplan_region region = {.struct_bytes = sizeof region,
                                          .operators = view->operators,
                                          .tensors = view->tensors,
                                          .first_input = view->inputs.start,
                                          .input = view->inputs.item,
                                          .first_output = view->outputs.start,
                                          .output = view->outputs.item,
                                          .first_predecessor = view->predecessors.start,
                                          .predecessor = view->predecessors.item,
                                          .bytes = view->bytes,
                                          .producer = view->producer,
                                          .kept = (const unsigned char *)view->kept,
                                          .alloc_bytes = view->alloc_bytes,
                                          .first_bytes = view->first_bytes,
                                          .time_limit_ns = task->time_limit_ns,
                                          .seed = task->seed};
    struct memplan_order_answer answer = {.struct_bytes = sizeof answer,
                                          .permutation = permutation};
    int result = (int)row->order->order(row->order, &region, &answer);
    TRY(check_failure(row, result, answer.message, error));
    if (result < 0 || result > MEMPLAN_UNSUPPORTED)
        return refuse(row, "answered what is no result of memplan/plugin.h", error);
    enum plan_status status = statuses[result];
    bool proves = status == PLAN_OPTIMAL || answer.bound_bytes;
    if (proves && !(row->order->flags & MEMPLAN_EXACT))
        return refuse(row, "proved something, but has not the flag MEMPLAN_EXACT", error);
    *report = (struct order_report){.status = status, .states = answer.states};
    if (!plan_status_is_found(status))
        return STATUS_OK;
    TRY(order_permutation_check(view, permutation, error));
    TRY(order_load(view, permutation, &report->load_bytes, error));
    report->bound_bytes = status == PLAN_OPTIMAL ? report->load_bytes : answer.bound_bytes;
    return STATUS_OK;
}
