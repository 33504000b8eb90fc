#include "heuristics/xla/xla.h"

#include <string.h>

#include "core/memory.h"
#include "heuristics/common/events.h"
#include "heuristics/common/keyed_order.h"
#include "heuristics/common/placing.h"

struct simulation {
    const struct problem *problem;
    uint32_t *duration; /* [buffers] ticks */
    uint32_t *sorted;   /* [buffers] */
    uint64_t *offset;   /* [buffers] */
    struct occupancy *occupancy;
};

static void get_spatial_keys(const struct problem *problem, uint32_t buffer, const void *context,
                             uint64_t *key)
{
    const uint32_t *duration = context;
    key[0] = ~problem->size[buffer];
    key[1] = ~(uint64_t)duration[buffer];
}

static void get_temporal_keys(const struct problem *problem, uint32_t buffer, const void *context,
                              uint64_t *key)
{
    const uint32_t *duration = context;
    key[0] = ~(uint64_t)duration[buffer];
    key[1] = ~problem->size[buffer];
}

static void get_area_keys(const struct problem *problem, uint32_t buffer, const void *context,
                          uint64_t *key)
{
    const uint32_t *duration = context;
    key[0] = ~keyed_order_product(problem->size[buffer], duration[buffer]);
}

static keyed_order_keys *const order_keys[] = {
    [XLA_SPATIAL] = get_spatial_keys,
    [XLA_TEMPORAL] = get_temporal_keys,
    [XLA_SPATIAL_TEMPORAL] = get_area_keys,
};

/* A buffer is allocated before it is freed. */
static enum status count_ticks(const struct problem *problem, uint32_t *duration,
                               struct error *error)
{
    struct event *events;
    TRY(events_create(problem, &events, error));
    for (uint32_t tick = 0; tick < 2 * problem->buffers; tick++) {
        uint32_t *ticks = &duration[events[tick].buffer];
        *ticks = tick - *ticks;
    }
    memory_free(events);
    return STATUS_OK;
}

static enum status run_order(struct simulation *simulation, enum xla_order order, const char *fit,
                             struct plan *plan, struct error *error)
{
    uint64_t peak;
    TRY(keyed_order_sort(simulation->problem, order_keys[order], simulation->duration,
                         simulation->sorted, error));
    TRY(placing_run(simulation->problem, simulation->occupancy, fit_find(fit), simulation->sorted,
                    plan->measures.peak_bytes - 1, simulation->offset, &peak, error));
    if (peak == UINT64_MAX)
        return STATUS_OK;
    plan->measures.peak_bytes = peak;
    memcpy(plan->offset, simulation->offset, plan->buffers * sizeof *plan->offset);
    return STATUS_OK;
}

static enum status simulate(struct simulation *simulation, const struct xla_rule *rule,
                            struct plan *plan, struct error *error)
{
    size_t buffers = simulation->problem->buffers;
    TRY(memory_create(&simulation->duration, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&simulation->sorted, buffers, sizeof(uint32_t), error));
    TRY(memory_create(&simulation->offset, buffers, sizeof(uint64_t), error));
    TRY(occupancy_create(simulation->problem, &simulation->occupancy, error));
    TRY(count_ticks(simulation->problem, simulation->duration, error));
    plan->measures.peak_bytes = UINT64_MAX;
    for (uint32_t i = 0; i < rule->runs; i++)
        TRY(run_order(simulation, rule->run[i].order, rule->run[i].fit, plan, error));
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, simulation->problem, error);
}

enum status xla_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error)
{
    struct simulation simulation = {.problem = task->problem};
    enum status status = simulate(&simulation, planner->rule, plan, error);
    memory_free(simulation.duration);
    memory_free(simulation.sorted);
    memory_free(simulation.offset);
    occupancy_free(simulation.occupancy);
    return status;
}
