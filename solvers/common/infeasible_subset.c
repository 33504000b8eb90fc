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

/* Asks whether the buffers fit. *answer is PLAN_INFEASIBLE where they do not, a status with a plan
   where they do, and any other where nothing is known. */
static enum status ask_fit(const struct filter *filter, const uint32_t *buffers, uint32_t count,
                           enum plan_status *answer)
{
    enum { SHARE = 4 }; /* no single question may use up the time of all those after it */
    const struct problem *source = filter->task->problem;
    uint64_t left_ns = clock_left_ns(filter->deadline_ns);
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct planner_task task = *filter->task;
    assert(count <= source->buffers);
    *answer = count ? PLAN_TIMEOUT : PLAN_FEASIBLE;
    if (!count || !left_ns)
        return STATUS_OK;
    TRY(problem_copy_part(source, names_get(&source->name, 0), buffers, count, &problem,
                          filter->error));
    task.problem = problem;
    task.level = NULL;
    task.start = NULL;
    task.time_limit_ns = left_ns == UINT64_MAX ? UINT64_MAX : left_ns / SHARE;
    TRY(plan_create(problem, &plan, filter->error));
    TRY(planner_plan(filter->exact, &task, plan, filter->error));
    *answer = plan->status;
    return STATUS_OK;
}

/* Goes through the subset in runs of a length, and drops each run without which the rest does not
   fit either. A buffer without which a set fits is needed in each smaller set that does not fit,
   too. So what the last pass, over single buffers, finds needed stays so, whatever is dropped after
   it. */
static enum status drop_runs(struct filter *filter, uint32_t length)
{
    struct infeasible_subset *subset = filter->subset;
    uint32_t first = 0, *kept = filter->kept;
    assert(length > 0 && subset->proved);
    subset->irreducible = true;
    while (first < subset->count) {
        uint32_t left = subset->count - first, run = left < length ? left : length;
        uint32_t behind = first + run, count = subset->count - run;
        enum plan_status answer;
        assert(run > 0 && behind <= subset->count);
        memcpy(kept, subset->buffer, first * sizeof *kept);
        memcpy(kept + first, subset->buffer + behind, (subset->count - behind) * sizeof *kept);
        TRY(ask_fit(filter, kept, count, &answer));
        if (answer != PLAN_INFEASIBLE) {
            subset->irreducible &= plan_status_is_found(answer);
            first += length;
            continue;
        }
        memcpy(subset->buffer, kept, count * sizeof *kept);
        subset->count = count;
    }
    return STATUS_OK;
}

enum status infeasible_subset_find(const struct planner *exact, const struct planner_task *task,
                                   struct infeasible_subset *subset, struct error *error)
{
    uint32_t buffers = task->problem->buffers;
    SCOPED(memory_release) uint32_t *kept = NULL;
    enum plan_status answer;
    assert(exact->flags & PLANNER_EXACT);
    *subset = (struct infeasible_subset){.count = buffers};
    TRY(memory_create_all(buffers, error, &subset->buffer, &kept));
    struct filter filter = {.exact = exact,
                            .task = task,
                            .subset = subset,
                            .kept = kept,
                            .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                            .error = error};
    for (uint32_t b = 0; b < buffers; b++)
        subset->buffer[b] = b;
    TRY(ask_fit(&filter, subset->buffer, buffers, &answer));
    subset->proved = answer == PLAN_INFEASIBLE;
    if (!subset->proved)
        return STATUS_OK;
    for (uint32_t length = subset->count; length > 1;) {
        length = (length + 1) / 2;
        TRY(drop_runs(&filter, length));
    }
    assert(subset->count > 0);
    if (subset->count == 1)
        subset->irreducible = true;
    return STATUS_OK;
}

void infeasible_subset_free(struct infeasible_subset *subset)
{
    memory_free(subset->buffer);
    *subset = (struct infeasible_subset){0};
}
