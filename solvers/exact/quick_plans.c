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
    uint64_t area, duration = get_duration(context, buffer);
    return checked_multiply(get_size(context, buffer), duration, &area) ? area : UINT64_MAX;
}

static const struct {
    struct sort_key key[SORT_MOST_KEYS];
    const char *fit;
} tries[EXACT_QUICK_PLANS] = {
    {{{get_area, true}}, "first"},     {{{get_size, true}}, "first"},
    {{{get_area, true}}, "best"},      {{{get_size, true}}, "best"},
    {{{get_duration, true}}, "first"}, {{{get_duration, true}}, "best"},
};

struct quick {
    const struct exact_incumbent *incumbent;
    const struct problem *problem;
    struct placer *placer;
    uint32_t *sorted; /* [buffers] */
    struct plan *trial;
};

/* Takes the plan where it is better, and leaves it to the caller to note that. */
static enum status try_fit(struct quick *quick, const char *fit, struct error *error)
{
    struct plan *trial = quick->trial, *best = quick->incumbent->plan;
    uint64_t most_bytes = plan_found(best) ? best->measures.peak_bytes - 1 : UINT64_MAX;
    assert(!plan_found(best) || best->measures.peak_bytes > 0);
    const struct occupancy_rule rule = {
        .fit = fit_find(fit),
        .sorted = quick->sorted,
        .most_bytes = most_bytes,
        .deadline_ns = plan_found(best) ? exact_incumbent_deadline_ns(quick->incumbent) : 0};
    TRY(placer_place_all(quick->placer, &rule, trial->offset, &trial->measures.peak_bytes, error));
    if (trial->measures.peak_bytes != UINT64_MAX)
        plan_take(best, trial);
    return STATUS_OK;
}

/* True where there is a plan and no time for another one that takes so long. */
static bool is_too_late(const struct exact_incumbent *incumbent, uint64_t took_ns)
{
    return plan_found(incumbent->plan) &&
           clock_left_ns(exact_incumbent_deadline_ns(incumbent)) <= took_ns;
}

static enum status try_some(struct quick *quick, uint32_t begin, uint32_t end, struct error *error)
{
    uint32_t buffers = quick->problem->buffers;
    TRY(plan_create(quick->problem, &quick->trial, error));
    TRY(placer_create(quick->problem, &quick->placer, error));
    TRY(memory_create(&quick->sorted, buffers, sizeof *quick->sorted, error));
    for (uint32_t i = begin; i < end; i++) {
        if (exact_incumbent_is_solved(quick->incumbent) || is_too_late(quick->incumbent, 0))
            break;
        TRY(sort_by_keys(tries[i].key, quick->problem, buffers, quick->sorted, error));
        TRY(try_fit(quick, tries[i].fit, error));
    }
    return STATUS_OK;
}

enum status exact_quick_plans_try(struct exact_incumbent *incumbent, uint32_t end,
                                  struct error *error)
{
    struct quick quick = {.incumbent = incumbent, .problem = incumbent->task->problem};
    uint32_t begin = incumbent->quick_plans;
    assert(begin <= end && end <= EXACT_QUICK_PLANS);
    if (begin == end)
        return STATUS_OK;
    incumbent->quick_plans = end;
    enum status status = try_some(&quick, begin, end, error);
    plan_free(quick.trial);
    placer_free(quick.placer);
    memory_free(quick.sorted);
    return status ? status : exact_incumbent_note(incumbent, error);
}

static enum status try_line(struct exact_incumbent *incumbent, struct error *error)
{
    const struct problem *problem = incumbent->task->problem;
    struct plan *trial;
    TRY(plan_create(problem, &trial, error));
    enum status status = line_plan_make(problem, trial->offset, &trial->measures.peak_bytes, error);
    if (!status && trial->measures.peak_bytes != UINT64_MAX) {
        trial->status = PLAN_FEASIBLE;
        status = exact_incumbent_offer(incumbent, trial, error);
    }
    plan_free(trial);
    return status;
}

/* Makes the first quick plan. It and the sorting for it take several times as long as the plan
   along the line, so where there are many buffers that comes first, and nothing else where time is
   short. */
static enum status make_first_plan(struct exact_incumbent *incumbent, struct error *error)
{
    enum { MANY_BUFFERS = 2048, TIMES_AS_LONG = 4 };
    uint64_t began_ns = clock_monotonic_ns();
    if (incumbent->task->problem->buffers > MANY_BUFFERS)
        TRY(try_line(incumbent, error));
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    incumbent->is_hurried = is_too_late(incumbent, TIMES_AS_LONG * took_ns);
    return incumbent->is_hurried ? STATUS_OK : exact_quick_plans_try(incumbent, 1, error);
}

enum status exact_quick_plans_begin(struct exact_incumbent *incumbent, struct error *error)
{
    struct plan *plan = incumbent->plan;
    const struct plan *start;
    plan->status = PLAN_TIMEOUT;
    TRY(search_record_create(&plan->search, error));
    TRY(bound_peak(incumbent->task->problem, &plan->measures.lower_bound_bytes, error));
    TRY(exact_incumbent_note(incumbent, error));
    TRY(components_find_start(incumbent->task, &start, error));
    if (start)
        TRY(exact_incumbent_offer(incumbent, start, error));
    return plan_found(plan) || exact_incumbent_is_solved(incumbent)
               ? STATUS_OK
               : make_first_plan(incumbent, error);
}
