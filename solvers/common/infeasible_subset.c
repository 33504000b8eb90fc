#include "solvers/common/infeasible_subset.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/copy.h"

struct filter {
    const struct planner *exact;
    const struct planner_task *task;
    struct infeasible_subset *subset;
    uint32_t *kept; /* [buffers] scratch: the subset without a run */
    uint64_t deadline_ns;
    struct error *error;
};

/* No single question may use up the time of all those after it. */
static uint64_t share_time(const struct filter *filter)
{
    enum { SHARE = 4 };
    uint64_t left_ns = clock_left_ns(filter->deadline_ns);
    return left_ns == UINT64_MAX ? UINT64_MAX : left_ns / SHARE;
}

static enum status ask_planner(const struct filter *filter, const struct problem *problem,
                               enum plan_status *answer)
{
    assert(filter->exact->flags & PLANNER_EXACT);
    struct planner_task task = *filter->task;
    struct plan *plan;
    task.problem = problem;
    task.level = NULL;
    task.start = NULL;
    task.time_limit_ns = share_time(filter);
    TRY(plan_create(problem, &plan, filter->error));
    enum status status = planner_plan(filter->exact, &task, plan, filter->error);
    *answer = plan->status;
    plan_free(plan);
    return status;
}

/* Asks whether the buffers fit. *answer is PLAN_INFEASIBLE where they do not, a status with a plan
   where they do, and any other where nothing is known. */
static enum status ask_fit(const struct filter *filter, const uint32_t *buffers, uint32_t count,
                           enum plan_status *answer)
{
    struct problem *problem;
    *answer = PLAN_FEASIBLE;
    if (!count)
        return STATUS_OK;
    *answer = PLAN_TIMEOUT;
    if (!clock_left_ns(filter->deadline_ns))
        return STATUS_OK;
    const struct problem *source = filter->task->problem;
    TRY(problem_copy_part(source, names_get(&source->name, 0), buffers, count, &problem,
                          filter->error));
    enum status status = ask_planner(filter, problem, answer);
    problem_free(problem);
    return status;
}

/* Asks whether the subset fits without the run of `length` buffers that starts at `first`. The run
   is dropped where the rest does not fit either, and needed where it does. */
static enum status try_run(struct filter *filter, uint32_t first, uint32_t length, bool *dropped,
                           bool *needed)
{
    assert(length > 0 && first + length <= filter->subset->count);
    struct infeasible_subset *subset = filter->subset;
    uint32_t behind = first + length, count = subset->count - length;
    enum plan_status answer;
    memcpy(filter->kept, subset->buffer, first * sizeof *filter->kept);
    memcpy(filter->kept + first, subset->buffer + behind,
           (subset->count - behind) * sizeof *filter->kept);
    TRY(ask_fit(filter, filter->kept, count, &answer));
    *dropped = answer == PLAN_INFEASIBLE;
    *needed = plan_status_is_found(answer);
    if (*dropped) {
        memcpy(subset->buffer, filter->kept, count * sizeof *filter->kept);
        subset->count = count;
    }
    return STATUS_OK;
}

/* Goes through the subset in runs of a length. A buffer without which a set fits is needed in each
   smaller set that does not fit, too. So what the last pass, over single buffers, finds needed
   stays so, whatever is dropped after it. */
static enum status drop_runs(struct filter *filter, uint32_t length)
{
    assert(length > 0 && filter->subset->proved);
    struct infeasible_subset *subset = filter->subset;
    uint32_t first = 0;
    subset->irreducible = true;
    while (first < subset->count) {
        uint32_t left = subset->count - first;
        bool dropped, needed;
        TRY(try_run(filter, first, left < length ? left : length, &dropped, &needed));
        if (dropped)
            continue;
        subset->irreducible &= needed;
        first += length;
    }
    return STATUS_OK;
}

static enum status filter_buffers(struct filter *filter)
{
    struct infeasible_subset *subset = filter->subset;
    enum plan_status answer;
    TRY(ask_fit(filter, subset->buffer, subset->count, &answer));
    subset->proved = answer == PLAN_INFEASIBLE;
    if (!subset->proved)
        return STATUS_OK;
    uint32_t length = subset->count;
    while (length > 1) {
        length = (length + 1) / 2;
        TRY(drop_runs(filter, length));
    }
    assert(subset->count > 0);
    if (subset->count == 1)
        subset->irreducible = true;
    return STATUS_OK;
}

enum status infeasible_subset_find(const struct planner *exact, const struct planner_task *task,
                                   struct infeasible_subset *subset, struct error *error)
{
    assert(exact->flags & PLANNER_EXACT);
    uint32_t buffers = task->problem->buffers;
    struct filter filter = {.exact = exact,
                            .task = task,
                            .subset = subset,
                            .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                            .error = error};
    enum status status;
    *subset = (struct infeasible_subset){.count = buffers};
    TRY_OR_DONE(status, memory_create(&subset->buffer, buffers, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&filter.kept, buffers, sizeof(uint32_t), error));
    for (uint32_t b = 0; b < buffers; b++)
        subset->buffer[b] = b;
    status = filter_buffers(&filter);
done:
    memory_free(filter.kept);
    return status;
}

void infeasible_subset_free(struct infeasible_subset *subset)
{
    memory_free(subset->buffer);
    *subset = (struct infeasible_subset){0};
}
