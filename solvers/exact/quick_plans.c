#include "solvers/exact/quick_plans.h"

#include "core/checked.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/arena/occupancy.h"
#include "planning/problem/timeline.h"

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
    {{{get_area, true}}, "first"},     {{{get_area, true}}, "best"},
    {{{get_size, true}}, "first"},     {{{get_size, true}}, "best"},
    {{{get_duration, true}}, "first"}, {{{get_duration, true}}, "best"},
};

struct quick {
    const struct problem *problem;
    struct occupancy *occupancy;
    uint32_t *sorted; /* [buffers] */
    struct plan *trial, *best;
};

static enum status try_fit(struct quick *quick, const char *fit, struct error *error)
{
    struct plan *trial = quick->trial;
    uint64_t most_bytes =
        plan_found(quick->best) ? quick->best->measures.peak_bytes - 1 : UINT64_MAX;
    const struct occupancy_rule rule = {fit_find(fit), quick->sorted, most_bytes};
    TRY(occupancy_place_all(quick->occupancy, &rule, trial->offset, &trial->measures.peak_bytes,
                            error));
    if (trial->measures.peak_bytes == UINT64_MAX)
        return STATUS_OK;
    plan_take(quick->best, trial);
    return STATUS_OK;
}

static enum status try_some(struct quick *quick, uint32_t begin, uint32_t end,
                            uint64_t enough_bytes, struct error *error)
{
    uint32_t buffers = quick->problem->buffers;
    TRY(plan_create(quick->problem, &quick->trial, error));
    TRY(occupancy_create(quick->problem, &quick->occupancy, error));
    TRY(memory_create(&quick->sorted, buffers, sizeof *quick->sorted, error));
    for (uint32_t i = begin; i < end; i++) {
        if (plan_found(quick->best) && quick->best->measures.peak_bytes <= enough_bytes)
            break;
        TRY(sort_by_keys(tries[i].key, quick->problem, buffers, quick->sorted, error));
        TRY(try_fit(quick, tries[i].fit, error));
    }
    return STATUS_OK;
}

enum status exact_quick_plan(const struct problem *problem, uint32_t begin, uint32_t end,
                             uint64_t enough_bytes, struct plan *plan, struct error *error)
{
    struct quick quick = {.problem = problem, .best = plan};
    enum status status = try_some(&quick, begin, end, enough_bytes, error);
    plan_free(quick.trial);
    occupancy_free(quick.occupancy);
    memory_free(quick.sorted);
    return status;
}

enum status exact_quick_count(const struct problem *problem, uint64_t *pairs, struct error *error)
{
    struct timeline timeline = {0};
    enum status status = timeline_create(problem, &timeline, error);
    uint32_t ended = 0;
    *pairs = 0;
    for (uint32_t i = 0; !status && i < problem->segments; i++) {
        while (problem->upper[timeline.by_upper[ended]] <= problem->lower[timeline.by_lower[i]])
            ended++;
        *pairs += i - ended;
    }
    timeline_free(&timeline);
    return status;
}
