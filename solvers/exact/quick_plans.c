#include "solvers/exact/quick_plans.h"

#include <assert.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/arena/placer.h"
#include "planning/problem/bounds.h"
#include "solvers/common/components.h"
#include "solvers/exact/line_plan.h"

static uint64_t get_size(const void *context, uint32_t buffer)
{
    const struct problem *problem = context;
    return problem->size[buffer];
}

static uint64_t get_duration(const void *context, uint32_t buffer)
{
    return problem_duration(context, buffer);
}

static uint64_t get_area(const void *context, uint32_t buffer)
{
    uint64_t area, duration = problem_duration(context, buffer);
    return checked_multiply(get_size(context, buffer), duration, &area) ? area : UINT64_MAX;
}

typedef uint64_t (*buffer_value)(const void *problem, uint32_t buffer);

/* The greatest value comes first, of equals the greatest second value. */
static const struct {
    buffer_value value, second;
    const char *fit;
} tries[EXACT_QUICK_PLANS] = {
    {get_size, get_duration, "first"}, {get_size, NULL, "first"}, {get_area, NULL, "first"},
    {get_area, NULL, "best"},          {get_size, NULL, "best"},  {get_duration, NULL, "first"},
};

/* True where there is a plan and no time for another one that takes as long as the first. */
static bool is_too_late(const struct exact_incumbent *incumbent, uint64_t took_ns)
{
    return plan_found(incumbent->plan) &&
           clock_left_ns(exact_incumbent_deadline_ns(incumbent)) <= took_ns;
}

enum status exact_quick_plans_try(struct exact_incumbent *incumbent, uint32_t end,
                                  struct error *error)
{
    const struct problem *problem = incumbent->task->problem;
    struct plan *best = incumbent->plan;
    uint32_t begin = incumbent->quick_plans;
    assert(begin <= end && end <= EXACT_QUICK_PLANS);
    if (begin == end)
        return STATUS_OK;
    incumbent->quick_plans = end;
    SCOPED(plan_release) struct plan *trial = NULL;
    SCOPED(placer_release) struct placer *placer = NULL;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    TRY(plan_create(problem, &trial, error));
    TRY(placer_create(problem, &placer, error));
    TRY(memory_create(&sorted, problem->buffers, sizeof *sorted, error));
    for (uint32_t i = begin; i < end; i++) {
        if (exact_incumbent_is_solved(incumbent) || is_too_late(incumbent, 0))
            break;
        assert(!plan_found(best) || best->measures.peak_bytes > 0);
        const struct occupancy_rule rule = {
            .fit = fit_find(tries[i].fit),
            .sorted = sorted,
            .most_bytes = plan_found(best) ? best->measures.peak_bytes - 1 : UINT64_MAX,
            .deadline_ns = plan_found(best) ? exact_incumbent_deadline_ns(incumbent) : 0};
        const struct sort_key key[SORT_MOST_KEYS] = {
            {.value = tries[i].value, .descending = true},
            {.value = tries[i].second, .descending = true}};
        TRY(sort_by_keys(key, problem, problem->buffers, sorted, error));
        assert(rule.fit && rule.most_bytes > 0);
        TRY(placer_place_all(placer, &rule, trial->offset, &trial->measures.peak_bytes, error));
        assert(trial->measures.peak_bytes >= best->measures.lower_bound_bytes);
        if (trial->measures.peak_bytes != UINT64_MAX)
            plan_take(best, trial);
    }
    return exact_incumbent_note(incumbent, error);
}

static enum status try_line(struct exact_incumbent *incumbent, struct error *error)
{
    const struct problem *problem = incumbent->task->problem;
    SCOPED(plan_release) struct plan *trial = NULL;
    TRY(plan_create(problem, &trial, error));
    TRY(line_plan_make(problem, trial->offset, &trial->measures.peak_bytes, error));
    if (trial->measures.peak_bytes == UINT64_MAX)
        return STATUS_OK;
    assert(trial->measures.peak_bytes >= incumbent->plan->measures.lower_bound_bytes);
    trial->status = PLAN_FEASIBLE;
    return exact_incumbent_offer(incumbent, trial, error);
}

enum status exact_quick_plans_begin(struct exact_incumbent *incumbent, struct error *error)
{
    enum { MANY_BUFFERS = 2048, TIMES_AS_LONG = 4 };
    struct plan *plan = incumbent->plan;
    const struct plan *start;
    plan->status = PLAN_TIMEOUT;
    TRY(search_record_create(&plan->search, error));
    TRY(bound_peak(incumbent->task->problem, &plan->measures.lower_bound_bytes, error));
    TRY(exact_incumbent_note(incumbent, error));
    TRY(components_find_start(incumbent->task, &start, error));
    if (start)
        TRY(exact_incumbent_offer(incumbent, start, error));
    if (plan_found(plan) || exact_incumbent_is_solved(incumbent))
        return STATUS_OK;

    /* The first quick plan and the sorting for it take several times as long as the plan along the
       line, so where there are many buffers that comes first, and nothing else where time is
       short. */
    uint64_t began_ns = clock_monotonic_ns();
    if (incumbent->task->problem->buffers > MANY_BUFFERS)
        TRY(try_line(incumbent, error));
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    incumbent->is_hurried = is_too_late(incumbent, TIMES_AS_LONG * took_ns);
    return plan_found(plan) ? STATUS_OK : exact_quick_plans_try(incumbent, 1, error);
}
