#include "solvers/common/join.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/copy.h"
#include "solvers/common/components.h"
#include "solvers/common/join_parts.h"

enum { MOST_PAIRS = 1 << 23 };

/* The parts that were planned so far, which lie one on another, and what the next one needs. */
struct stack {
    const struct planner *planner;
    const struct planner_task *task;
    join_planner *part_plan;
    const struct join_parts *parts;
    uint32_t last;            /* the largest part, which is planned last */
    const struct plan *start; /* valid, or NULL */
    struct plan *plan;
    uint64_t deadline_ns, began_ns, top_bytes, bound_bytes;
    bool optimal, found;
    struct error *error;
};

static uint64_t weigh_part(const struct join_parts *parts, uint32_t part)
{
    uint64_t buffers = parts->first[part + 1] - parts->first[part];
    return buffers * buffers;
}

static uint64_t share_time(const struct stack *stack, uint32_t part)
{
    uint64_t left_ns = clock_left_ns(stack->deadline_ns), rest = 0;
    for (uint32_t p = part; part != stack->last && p < stack->parts->count; p++)
        rest += p == stack->last ? 0 : weigh_part(stack->parts, p);
    rest += weigh_part(stack->parts, stack->last);
    if (stack->deadline_ns == UINT64_MAX)
        return UINT64_MAX;
    return (uint64_t)((double)left_ns * (double)weigh_part(stack->parts, part) / (double)rest);
}

/* Makes a start of the part: its buffers have the offsets that they have in the start of the whole,
   less the bytes below them that no buffer of the part uses. */
static enum status compress_start(const struct stack *stack, const uint32_t *buffer,
                                  const struct problem *problem, struct plan *start)
{
    uint64_t *key, top = 0, unused = 0;
    uint32_t *sorted;
    enum status status;
    TRY(memory_create(&key, problem->buffers, sizeof *key, stack->error));
    TRY_OR_DONE(status, memory_create(&sorted, problem->buffers, sizeof *sorted, stack->error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        sorted[b] = b;
        key[b] = stack->start->offset[buffer[b]];
    }
    TRY_OR_DONE(status, sort_items(key, sorted, problem->buffers, stack->error));
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint64_t end = key[i] + problem->size[sorted[i]];
        unused += key[i] > top ? key[i] - top : 0;
        top = end > top ? end : top;
        start->offset[sorted[i]] = key[i] - unused;
    }
    start->status = PLAN_FEASIBLE;
    status = plan_set_peak(start, problem, stack->error);
done:
    memory_free(key);
    memory_free(sorted);
    return status;
}

/* Takes the search record of the part that is planned last, where all others have plans: with these
   below it, its peaks and bounds are those of the whole. */
static enum status take_curve(struct stack *stack, const struct plan *plan, uint64_t began_ns)
{
    if (!stack->found || !plan->search)
        return STATUS_OK;
    if (!stack->plan->search)
        TRY(search_record_create(&stack->plan->search, stack->error));
    for (uint32_t i = 0; i < plan->search->points; i++) {
        struct search_point point = plan->search->point[i];
        point.time_ns += began_ns - stack->began_ns;
        point.bound_bytes += stack->bound_bytes;
        if (point.peak_bytes != UINT64_MAX)
            point.peak_bytes += stack->top_bytes;
        TRY(search_record_add(stack->plan->search, &point, stack->error));
    }
    return STATUS_OK;
}

/* Takes what came of a part. Its offsets are within the part until all parts have plans. */
static enum status take_part(struct stack *stack, const uint32_t *buffer, const struct plan *plan)
{
    struct plan *whole = stack->plan;
    stack->found = stack->found && plan_found(plan);
    stack->optimal = stack->optimal && plan->status == PLAN_OPTIMAL;
    stack->bound_bytes += plan->measures.lower_bound_bytes;
    whole->measures.nodes += plan->measures.nodes;
    for (uint32_t b = 0; b < plan->buffers && plan_found(plan); b++)
        whole->offset[buffer[b]] = plan->offset[b];
    stack->top_bytes += plan->measures.peak_bytes;
    if (!plan->search)
        return STATUS_OK;
    if (!whole->search)
        TRY(search_record_create(&whole->search, stack->error));
    search_record_join(whole->search, plan->search);
    return STATUS_OK;
}

static enum status plan_part(struct stack *stack, uint32_t part, const struct problem *problem)
{
    const uint32_t *buffer = stack->parts->buffer + stack->parts->first[part];
    struct planner_task task = *stack->task;
    struct plan *plan = NULL, *start = NULL;
    uint64_t began_ns = clock_monotonic_ns();
    enum status status;
    task.problem = problem;
    task.level = NULL;
    task.time_limit_ns = share_time(stack, part);
    TRY_OR_DONE(status, plan_create(problem, &plan, stack->error));
    if (stack->start) {
        TRY_OR_DONE(status, plan_create(problem, &start, stack->error));
        TRY_OR_DONE(status, compress_start(stack, buffer, problem, start));
    }
    task.start = start;
    TRY_OR_DONE(status, stack->part_plan(stack->planner, &task, plan, stack->error));
    TRY_OR_DONE(status, plan_complete(plan, problem, stack->error));
    if (part == stack->last)
        TRY_OR_DONE(status, take_curve(stack, plan, began_ns));
    status = take_part(stack, buffer, plan);
done:
    plan_free(plan);
    plan_free(start);
    return status;
}

static enum status copy_part(const struct stack *stack, uint32_t part, struct problem *problem)
{
    const struct join_parts *parts = stack->parts;
    for (uint32_t i = parts->first[part]; i < parts->first[part + 1]; i++)
        TRY(problem_add_copy(problem, stack->task->problem, parts->buffer[i], stack->error));
    return problem_finish(problem, stack->error);
}

static enum status add_part(struct stack *stack, uint32_t part)
{
    struct problem *problem;
    TRY(problem_create(&problem, "part", stack->error));
    enum status status = copy_part(stack, part, problem);
    if (!status)
        status = plan_part(stack, part, problem);
    problem_free(problem);
    return status;
}

/* Lays the parts one on another, in their order. */
static void lay_parts(const struct stack *stack)
{
    const struct join_parts *parts = stack->parts;
    uint64_t below_bytes = 0;
    for (uint32_t p = 0; p < parts->count; p++) {
        uint64_t top_bytes = below_bytes;
        for (uint32_t i = parts->first[p]; i < parts->first[p + 1]; i++) {
            uint64_t *offset = &stack->plan->offset[parts->buffer[i]];
            *offset += below_bytes;
            uint64_t end = *offset + stack->task->problem->size[parts->buffer[i]];
            top_bytes = end > top_bytes ? end : top_bytes;
        }
        below_bytes = top_bytes;
    }
}

/* Says what is known of the whole. Where some part has no plan, the whole has none but the
   start. */
static enum status finish(struct stack *stack)
{
    struct plan *plan = stack->plan;
    const struct plan *start = stack->start;
    plan->measures.lower_bound_bytes = stack->bound_bytes;
    plan->status = stack->optimal ? PLAN_OPTIMAL : stack->found ? PLAN_FEASIBLE : PLAN_TIMEOUT;
    if (stack->found) {
        lay_parts(stack);
        TRY(plan_set_peak(plan, stack->task->problem, stack->error));
    }
    if (start && (!stack->found || start->measures.peak_bytes < plan->measures.peak_bytes))
        plan_take(plan, start);
    if (!plan->search)
        return STATUS_OK;
    const struct search_point point = {.time_ns = clock_monotonic_ns() - stack->began_ns,
                                       .peak_bytes = plan_found(plan) ? plan->measures.peak_bytes
                                                                      : UINT64_MAX,
                                       .bound_bytes = stack->bound_bytes};
    return search_record_add(plan->search, &point, stack->error);
}

static uint32_t find_largest_part(const struct join_parts *parts)
{
    uint32_t largest = 0;
    for (uint32_t p = 1; p < parts->count; p++)
        if (weigh_part(parts, p) > weigh_part(parts, largest))
            largest = p;
    return largest;
}

static enum status plan_parts(struct stack *stack)
{
    stack->last = find_largest_part(stack->parts);
    TRY(components_find_start(stack->task, &stack->start, stack->error));
    for (uint32_t p = 0; p < stack->parts->count; p++)
        if (p != stack->last)
            TRY(add_part(stack, p));
    TRY(add_part(stack, stack->last));
    return finish(stack);
}

enum status join_plan(const struct planner *planner, const struct planner_task *task,
                      join_planner *part_plan, struct plan *plan, struct error *error)
{
    struct join_parts parts = {.count = 1};
    struct stack stack = {.planner = planner,
                          .task = task,
                          .part_plan = part_plan,
                          .parts = &parts,
                          .plan = plan,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                          .began_ns = clock_monotonic_ns(),
                          .optimal = true,
                          .found = true,
                          .error = error};
    if (task->capacity_bytes == UINT64_MAX)
        TRY(join_parts_find(task->problem, MOST_PAIRS, &parts, error));
    struct planner_task whole = *task;
    whole.time_limit_ns = clock_left_ns(stack.deadline_ns);
    enum status status =
        parts.count > 1 ? plan_parts(&stack) : part_plan(planner, &whole, plan, error);
    join_parts_clear(&parts);
    return status;
}
