/* GlobalDecreasingSizeBestFitHeap and ChooseBestHeapAlgorithm of openxla/xla,
   xla/service/heap_simulator: buffers in an order, each in the smallest gap among those that are
   live with it, or at the lowest offset; of several runs the first of the lowest peaks.

   A duration is a number of calls to the allocator, since the clock there ticks with every Alloc
   and every Free (events.h). Ties: size, duration, position; by duration: size, position.

   Departures:
   - Sizes are not rounded to one alignment of all buffers; a gap is as large as it is before its
     begin is aligned.
   - Fixed buffers are placed before all others. */

#include <string.h>

#include "heuristics/common/events.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "planning/arena/occupancy.h"

enum xla_order { XLA_SPATIAL, XLA_TEMPORAL, XLA_SPATIAL_TEMPORAL };

/* What planner->rule points to. */
struct xla_rule {
    struct {
        enum xla_order order;
        const char *fit; /* the name of a row of fit.h */
    } run[6];
    uint32_t runs;
};

struct simulation {
    const struct problem *problem;
    uint32_t *duration; /* [buffers] how many ticks each is allocated: the calls until its free */
};

static uint64_t get_size(const void *context, uint32_t buffer)
{
    const struct simulation *simulation = context;
    return simulation->problem->size[buffer];
}

static uint64_t get_duration(const void *context, uint32_t buffer)
{
    const struct simulation *simulation = context;
    return simulation->duration[buffer];
}

static uint64_t get_area(const void *context, uint32_t buffer)
{
    return order_product(get_size(context, buffer), get_duration(context, buffer));
}

static const struct sort_key order_keys[][SORT_MOST_KEYS] = {
    [XLA_SPATIAL] = {{.value = get_size, .descending = true},
                     {.value = get_duration, .descending = true}},
    [XLA_TEMPORAL] = {{.value = get_duration, .descending = true},
                      {.value = get_size, .descending = true}},
    [XLA_SPATIAL_TEMPORAL] = {{.value = get_area, .descending = true}},
};

SCOPED_POINTER(struct occupancy, release_occupancy, occupancy_free);

static enum status plan_xla(const struct planner *planner, const struct planner_task *task,
                            struct plan *plan, struct error *error)
{
    const struct xla_rule *rule = planner->rule;
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    uint32_t buffers = problem->buffers, *sorted;
    uint64_t *offset, peak;
    struct simulation simulation = {.problem = problem};
    struct event *events;
    SCOPED(release_occupancy) struct occupancy *occupancy = NULL;
    TRY(scratch_take_all(scratch, buffers, error, &simulation.duration, &sorted, &offset));
    TRY(occupancy_create(problem, &occupancy, error));

    /* The first of a buffer's two events leaves its tick in duration[], the second subtracts that
       from its own. */
    TRY(events_create(problem, &events, scratch, error));
    for (uint32_t tick = 0; tick < 2 * buffers; tick++) {
        uint32_t *ticks = &simulation.duration[events[tick].buffer];
        *ticks = tick - *ticks;
    }

    plan->measures.peak_bytes = UINT64_MAX;
    for (uint32_t i = 0; i < rule->runs; i++) {
        const struct occupancy_rule run = {.fit = fit_find(rule->run[i].fit),
                                           .sorted = sorted,
                                           .most_bytes = plan->measures.peak_bytes - 1};
        TRY(sort_by_keys(order_keys[rule->run[i].order], &simulation, buffers, sorted, error));
        TRY(occupancy_place_all(occupancy, &run, offset, &peak, error));
        if (peak == UINT64_MAX)
            continue;
        plan->measures.peak_bytes = peak;
        memcpy(plan->offset, offset, buffers * sizeof *offset);
    }
    return plan_set_feasible(plan, problem, error);
}

#define XLA(name_, title_, source_, count_, ...)                                                   \
    {                                                                                              \
        .name = name_, .family = "xla", .title = title_, .source = source_,                        \
        .flags = PLANNER_NO_WINDOWS, .rule = &(const struct xla_rule){{__VA_ARGS__}, count_},      \
        .plan = plan_xla                                                                           \
    }

#define GLOBAL_HEAP "OpenXLA heap_simulator.cc, GlobalDecreasingSizeBestFitHeap"

static const struct planner rows[] = {
    XLA("xla_spatial", "largest, then longest in calls to the allocator, smallest gap", GLOBAL_HEAP,
        1, {XLA_SPATIAL, "best"}),
    XLA("xla_temporal", "longest in calls to the allocator, then largest, smallest gap",
        GLOBAL_HEAP, 1, {XLA_TEMPORAL, "best"}),
    XLA("xla_spatial_temporal", "most bytes times calls to the allocator, smallest gap",
        GLOBAL_HEAP, 1, {XLA_SPATIAL_TEMPORAL, "best"}),
    XLA("xla_spatial_lowest", "largest, then longest in calls to the allocator, lowest offset",
        GLOBAL_HEAP, 1, {XLA_SPATIAL, "first"}),
    XLA("xla_temporal_lowest", "longest in calls to the allocator, then largest, lowest offset",
        GLOBAL_HEAP, 1, {XLA_TEMPORAL, "first"}),
    XLA("xla_spatial_temporal_lowest", "most bytes times calls to the allocator, lowest offset",
        GLOBAL_HEAP, 1, {XLA_SPATIAL_TEMPORAL, "first"}),
    XLA("xla_choose_best", "the better of the spatial and the temporal order, smallest gap",
        "OpenXLA heap_simulator.cc, ChooseBestHeapAlgorithm", 2, {XLA_SPATIAL, "best"},
        {XLA_TEMPORAL, "best"}),
    XLA("xla_packing_search", "the best of three orders, each with smallest gap and lowest offset",
        "OpenXLA heap_simulator.cc, ChooseBestHeapAlgorithm with packing search", 6,
        {XLA_SPATIAL, "best"}, {XLA_TEMPORAL, "best"}, {XLA_SPATIAL_TEMPORAL, "best"},
        {XLA_SPATIAL, "first"}, {XLA_TEMPORAL, "first"}, {XLA_SPATIAL_TEMPORAL, "first"}),
};

HEURISTICS_ROWS(xla, rows);
