#include "solvers/exact/quick_plans.h"

#include "core/memory.h"
#include "core/sort.h"
#include "planning/arena/occupancy.h"
#include "planning/problem/timeline.h"

enum key { BY_SIZE, BY_AREA, BY_DURATION };

static const struct {
    enum key key;
    const char *fit;
} tries[EXACT_QUICK_PLANS] = {
    {BY_AREA, "first"}, {BY_AREA, "best"},      {BY_SIZE, "first"},
    {BY_SIZE, "best"},  {BY_DURATION, "first"}, {BY_DURATION, "best"},
};

struct quick {
    const struct problem *problem;
    struct occupancy *occupancy;
    uint64_t *key;    /* [buffers] */
    uint32_t *sorted; /* [buffers] */
    struct plan *trial, *best;
};

static uint64_t get_key(const struct problem *problem, uint32_t buffer, enum key key)
{
    uint64_t size = problem->size[buffer], duration = problem_duration(problem, buffer), area;
    switch (key) {
    case BY_SIZE:
        return size;
    case BY_AREA:
        return __builtin_mul_overflow(size, duration, &area) ? UINT64_MAX : area;
    default:
        return duration;
    }
}

static enum status sort_buffers(struct quick *quick, enum key key, struct error *error)
{
    for (uint32_t b = 0; b < quick->problem->buffers; b++) {
        quick->key[b] = UINT64_MAX - get_key(quick->problem, b, key);
        quick->sorted[b] = b;
    }
    return sort_items(quick->key, quick->sorted, quick->problem->buffers, error);
}

static enum status try_fit(struct quick *quick, const char *fit, struct error *error)
{
    struct plan *trial = quick->trial;
    occupancy_clear(quick->occupancy);
    TRY(occupancy_place_all(quick->occupancy, fit_find(fit), quick->sorted, trial->offset, error));
    TRY(plan_set_peak(trial, quick->problem, error));
    if (plan_found(quick->best) && quick->best->measures.peak_bytes <= trial->measures.peak_bytes)
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
    TRY(memory_create(&quick->key, buffers, sizeof *quick->key, error));
    TRY(memory_create(&quick->sorted, buffers, sizeof *quick->sorted, error));
    for (uint32_t i = begin; i < end; i++) {
        if (plan_found(quick->best) && quick->best->measures.peak_bytes <= enough_bytes)
            break;
        TRY(sort_buffers(quick, tries[i].key, error));
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
    memory_free(quick.key);
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
