#include "solvers/common/join.h"

#include <assert.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/sort.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/copy.h"
#include "planning/problem/timeline.h"
#include "planning/problem/unit.h"
#include "solvers/common/components.h"

/* Whether every multiple of the unit can be an offset of every buffer. */
static bool can_move(const struct problem *problem)
{
    uint64_t unit = problem_unit_bytes(problem);
    if (problem_is_by_clocks(problem) || problem_has_windows(problem))
        return false;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE ||
            unit % problem_alignment(problem, b))
            return false;
    return true;
}

static void make_one_part(const struct problem *problem, struct join_parts *parts)
{
    assert(!parts->first[0]);
    for (uint32_t b = 0; b < problem->buffers; b++)
        parts->buffer[b] = b;
    parts->first[1] = problem->buffers;
    parts->count = 1;
}

static void end_part(struct join_parts *parts, uint32_t end)
{
    uint32_t begin = parts->first[parts->count];
    assert(begin < end);
    qsort(parts->buffer + begin, end - begin, sizeof *parts->buffer, compare_number_items_32);
    parts->first[++parts->count] = end;
}

/* A search for parts as if each buffer lived from its first step to its last: buffers that do not
   conflict then never do. Where no buffer has holes, these are the parts; else each part is made of
   one or several of them. Buffers that begin after one of the part has ended are taken from the end
   of by_lower, those that end before one of the part begins from the beginning of by_upper. */
struct hulls {
    const struct problem *problem;
    uint32_t *by_lower, *by_upper; /* [buffers] */
    uint32_t late_end;             /* of by_lower, those from here on are in a part */
    uint32_t early_begin;          /* of by_upper, those before are in a part */
    uint8_t *visited;              /* [buffers] */
    struct join_parts *parts;
    uint32_t end;                          /* of the part, in parts->buffer */
    uint32_t earliest_upper, latest_lower; /* of the part */
};

static uint64_t get_lower(const void *problem, uint32_t buffer)
{
    return problem_lower(problem, buffer);
}

static uint64_t get_upper(const void *problem, uint32_t buffer)
{
    return problem_upper(problem, buffer);
}

static void add_hull(struct hulls *hulls, uint32_t buffer)
{
    uint32_t lower = problem_lower(hulls->problem, buffer),
             upper = problem_upper(hulls->problem, buffer);
    if (hulls->visited[buffer])
        return;
    assert(hulls->end < hulls->problem->buffers);
    hulls->visited[buffer] = 1;
    hulls->parts->buffer[hulls->end++] = buffer;
    hulls->earliest_upper = upper < hulls->earliest_upper ? upper : hulls->earliest_upper;
    hulls->latest_lower = lower > hulls->latest_lower ? lower : hulls->latest_lower;
}

/* Adds the first buffer of either list that is not in the part yet, if it cannot conflict with some
   buffer of it; false where both can. */
static bool add_next(struct hulls *hulls)
{
    const struct problem *problem = hulls->problem;
    assert(hulls->late_end <= problem->buffers && hulls->early_begin <= problem->buffers);
    if (hulls->late_end) {
        uint32_t buffer = hulls->by_lower[hulls->late_end - 1];
        if (hulls->visited[buffer] || problem_lower(problem, buffer) >= hulls->earliest_upper) {
            hulls->late_end--;
            add_hull(hulls, buffer);
            return true;
        }
    }
    if (hulls->early_begin == problem->buffers)
        return false;
    uint32_t buffer = hulls->by_upper[hulls->early_begin];
    if (!hulls->visited[buffer] && problem_upper(problem, buffer) > hulls->latest_lower)
        return false;
    hulls->early_begin++;
    add_hull(hulls, buffer);
    return true;
}

static enum status search_hulls(const struct problem *problem, struct join_parts *parts,
                                struct error *error)
{
    const struct sort_key lower[SORT_MOST_KEYS] = {{.value = get_lower}},
                          upper[SORT_MOST_KEYS] = {{.value = get_upper}};
    struct hulls hulls = {.problem = problem, .late_end = problem->buffers, .parts = parts};
    SCOPED(scratch_free) struct scratch scratch = {0};
    TRY(scratch_take_all(&scratch, problem->buffers, error, &hulls.by_lower, &hulls.by_upper));
    TRY(scratch_take(&scratch, &hulls.visited, problem->buffers, 1, error));
    TRY(sort_by_keys(lower, problem, problem->buffers, hulls.by_lower, error));
    TRY(sort_by_keys(upper, problem, problem->buffers, hulls.by_upper, error));
    parts->count = 0;
    for (uint32_t seed = problem->buffers; seed-- > 0;) {
        if (hulls.visited[seed])
            continue;
        hulls.earliest_upper = UINT32_MAX;
        hulls.latest_lower = 0;
        add_hull(&hulls, seed);
        while (add_next(&hulls))
            continue;
        end_part(parts, hulls.end);
    }
    assert(hulls.end == problem->buffers);
    return STATUS_OK;
}

/* A search through the complement of the conflicts. It takes little time: each buffer leaves the
   list of those not visited once, and stays in it at most once for each of its conflicts. */
static enum status search_conflicts(const struct problem *problem, struct join_parts *parts,
                                    struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
    uint32_t *unvisited; /* [left] not in a part yet */
    uint32_t *marked; /* [buffers] one more than the last visited buffer that conflicts with it */
    uint32_t left = problem->buffers, next = 0;
    TRY(scratch_take_all(&scratch, problem->buffers, error, &unvisited, &marked));
    TRY(conflicts_create(problem, &conflicts, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        unvisited[b] = b;
    parts->count = 0;
    while (left > 0) {
        uint32_t end = next + 1;
        parts->buffer[next] = unvisited[--left];
        for (; next < end; next++) {
            /* What is not visited and does not conflict with the buffer joins the part. */
            uint32_t buffer = parts->buffer[next], kept = 0;
            for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
                marked[conflicts->other[i]] = buffer + 1;
            for (uint32_t i = 0; i < left; i++)
                if (marked[unvisited[i]] == buffer + 1)
                    unvisited[kept++] = unvisited[i];
                else
                    parts->buffer[end++] = unvisited[i];
            left = kept;
        }
        assert(next == end && end + left == problem->buffers);
        end_part(parts, end);
    }
    assert(next == problem->buffers);
    return STATUS_OK;
}

/* True where it is clear without a search that there is one part. A buffer that begins after some
   other one has ended does not conflict with that one, so they are in one part; likewise one that
   ends before some other begins. Only a buffer that is live from the first end of all to the last
   beginning can do neither. Where there is no such buffer, as in most problems of many buffers,
   there is one part. */
static bool is_one_part(const struct problem *problem)
{
    uint32_t earliest_upper = UINT32_MAX, latest_lower = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t lower = problem_lower(problem, b), upper = problem_upper(problem, b);
        earliest_upper = upper < earliest_upper ? upper : earliest_upper;
        latest_lower = lower > latest_lower ? lower : latest_lower;
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_lower(problem, b) < earliest_upper && problem_upper(problem, b) > latest_lower)
            return false;
    return true;
}

enum status join_parts_find(const struct problem *problem, uint64_t most_pairs,
                            struct join_parts *parts, struct error *error)
{
    uint64_t pairs = 0;
    *parts = (struct join_parts){0};
    TRY(scratch_take(&parts->memory, &parts->first, (size_t)problem->buffers + 2, sizeof(uint32_t),
                     error));
    TRY(scratch_take(&parts->memory, &parts->buffer, problem->buffers, sizeof(uint32_t), error));
    make_one_part(problem, parts);
    if (!can_move(problem) || is_one_part(problem))
        return STATUS_OK;
    TRY(search_hulls(problem, parts, error));
    if (parts->count == 1)
        return STATUS_OK;
    assert(parts->count > 1 && parts->first[parts->count] == problem->buffers);
    TRY(timeline_count_pairs(problem, &pairs, error));
    if (pairs > most_pairs)
        make_one_part(problem, parts);
    else if (problem->segments > problem->buffers)
        TRY(search_conflicts(problem, parts, error));
    return STATUS_OK;
}

void join_parts_clear(struct join_parts *parts)
{
    scratch_free(&parts->memory);
    *parts = (struct join_parts){0};
}

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

/* How much of the time a part is worth, beside others. */
static double weigh_part(const struct join_parts *parts, uint32_t part)
{
    assert(part < parts->count && parts->first[part] < parts->first[part + 1]);
    uint64_t buffers = parts->first[part + 1] - parts->first[part];
    return (double)(buffers * buffers);
}

/* Makes a start of the part: its buffers have the offsets that they have in the start of the whole,
   less the bytes below them that no buffer of the part uses. */
static enum status compress_start(const struct stack *stack, const uint32_t *buffer,
                                  const struct problem *problem, struct plan *start)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t *key, top = 0, unused = 0;
    uint32_t *sorted;
    TRY(scratch_take_all(&scratch, problem->buffers, stack->error, &key, &sorted));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        sorted[b] = b;
        key[b] = stack->start->offset[buffer[b]];
    }
    TRY(sort_items(key, sorted, problem->buffers, stack->error));
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint64_t end = key[i] + problem->size[sorted[i]];
        assert(end > key[i]);
        unused += key[i] > top ? key[i] - top : 0;
        top = end > top ? end : top;
        assert(unused <= key[i]);
        start->offset[sorted[i]] = key[i] - unused;
    }
    assert(unused <= top);
    start->status = PLAN_FEASIBLE;
    return plan_set_peak(start, problem, stack->error);
}

/* Takes what came of a part. Its offsets are within the part until all parts have plans. */
static enum status take_part(struct stack *stack, uint32_t part, const struct plan *plan,
                             uint64_t began_ns)
{
    const uint32_t *buffer = stack->parts->buffer + stack->parts->first[part];
    struct plan *whole = stack->plan;
    assert(plan->buffers == stack->parts->first[part + 1] - stack->parts->first[part]);
    if (plan->search && !whole->search)
        TRY(search_record_create(&whole->search, stack->error));
    /* The search record of the part that is planned last is kept if all other parts have plans:
       with these below it, its peaks and bounds are those of the whole. */
    uint32_t points =
        part == stack->last && stack->found && plan->search ? plan->search->points : 0;
    for (uint32_t i = 0; i < points; i++) {
        struct search_point point = plan->search->point[i];
        point.time_ns += began_ns - stack->began_ns;
        assert(point.bound_bytes <= point.peak_bytes);
        point.bound_bytes += stack->bound_bytes;
        if (point.peak_bytes != UINT64_MAX)
            point.peak_bytes += stack->top_bytes;
        TRY(search_record_add(whole->search, &point, stack->error));
    }
    assert(!plan_found(plan) || plan->measures.lower_bound_bytes <= plan->measures.peak_bytes);
    stack->found = stack->found && plan_found(plan);
    stack->optimal = stack->optimal && plan->status == PLAN_OPTIMAL;
    stack->bound_bytes += plan->measures.lower_bound_bytes;
    whole->measures.nodes += plan->measures.nodes;
    for (uint32_t b = 0; b < plan->buffers && plan_found(plan); b++)
        whole->offset[buffer[b]] = plan->offset[b];
    stack->top_bytes += plan->measures.peak_bytes;
    if (plan->search)
        search_record_join(whole->search, plan->search);
    return STATUS_OK;
}

static enum status add_part(struct stack *stack, uint32_t part)
{
    const struct join_parts *parts = stack->parts;
    const uint32_t *buffer = parts->buffer + parts->first[part];
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(plan_release) struct plan *start = NULL;
    struct planner_task task = *stack->task;
    TRY(problem_copy_part(stack->task->problem, "part", buffer,
                          parts->first[part + 1] - parts->first[part], &problem, stack->error));
    uint64_t began_ns = clock_monotonic_ns(), left_ns = clock_left_ns(stack->deadline_ns);
    double rest = weigh_part(parts, stack->last);
    for (uint32_t p = part; part != stack->last && p < parts->count; p++)
        rest += p == stack->last ? 0 : weigh_part(parts, p);
    assert(rest > 0 && rest >= weigh_part(parts, part));
    task.time_limit_ns = stack->deadline_ns == UINT64_MAX
                             ? UINT64_MAX
                             : (uint64_t)((double)left_ns * weigh_part(parts, part) / rest);
    task.problem = problem;
    task.level = NULL;
    TRY(plan_create(problem, &plan, stack->error));
    if (stack->start) {
        TRY(plan_create(problem, &start, stack->error));
        TRY(compress_start(stack, buffer, problem, start));
    }
    task.start = start;
    TRY(stack->part_plan(stack->planner, &task, plan, stack->error));
    TRY(plan_complete(plan, problem, stack->error));
    return take_part(stack, part, plan, began_ns);
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
            assert(end > *offset && end <= stack->top_bytes);
            top_bytes = end > top_bytes ? end : top_bytes;
        }
        below_bytes = top_bytes;
    }
}

/* Plans all parts, the largest one last, and says what is known of the whole. Where some part has
   no plan, the whole has none but the start. */
static enum status plan_parts(struct stack *stack)
{
    const struct join_parts *parts = stack->parts;
    struct plan *plan = stack->plan;
    for (uint32_t p = 1; p < parts->count; p++)
        if (weigh_part(parts, p) > weigh_part(parts, stack->last))
            stack->last = p;
    TRY(components_find_start(stack->task, &stack->start, stack->error));
    for (uint32_t p = 0; p < parts->count; p++)
        if (p != stack->last)
            TRY(add_part(stack, p));
    TRY(add_part(stack, stack->last));
    plan->measures.lower_bound_bytes = stack->bound_bytes;
    plan->status = stack->optimal ? PLAN_OPTIMAL : stack->found ? PLAN_FEASIBLE : PLAN_TIMEOUT;
    if (stack->found) {
        assert(stack->bound_bytes <= stack->top_bytes);
        lay_parts(stack);
        TRY(plan_set_peak(plan, stack->task->problem, stack->error));
    }
    if (stack->start &&
        (!stack->found || stack->start->measures.peak_bytes < plan->measures.peak_bytes))
        plan_take(plan, stack->start);
    if (!plan->search)
        return STATUS_OK;
    const struct search_point point = {.time_ns = clock_monotonic_ns() - stack->began_ns,
                                       .peak_bytes = plan_found(plan) ? plan->measures.peak_bytes
                                                                      : UINT64_MAX,
                                       .bound_bytes = stack->bound_bytes};
    return search_record_add(plan->search, &point, stack->error);
}

enum status join_plan(const struct planner *planner, const struct planner_task *task,
                      join_planner *part_plan, struct plan *plan, struct error *error)
{
    SCOPED(join_parts_clear) struct join_parts parts = {.count = 1};
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
    return parts.count > 1 ? plan_parts(&stack) : part_plan(planner, &whole, plan, error);
}
