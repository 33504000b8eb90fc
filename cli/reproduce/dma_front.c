/* The reproduction dma-front: time and on-chip bytes of every mode of weight transfer under the
   profile ethos_u55, and the front of mode planned by two planners, as measures of the topic
   "dma-front". */
#include "cli/reproduce/reproduction.h"
#include "core/checked.h"
#include "harness/catalogue/planners.h"
#include "harness/transfers/planned.h"
#include "results/views/fronts.h"

static const char *const planners[] = {"large_first", "descent"};

static void record_mode(struct recorder *recorder, const struct transfer_mode *mode,
                        uint64_t arena_bytes)
{
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    uint64_t on_chip_bytes = 0;
    recorder_run(recorder, mode, &run);
    if (!recorder->status && !checked_add(arena_bytes, run.buffer_bytes, &on_chip_bytes))
        recorder->status =
            error_set(recorder->error, STATUS_BAD_INPUT, "arena and buffers exceed 2^64 bytes");
    recorder_add_point(recorder, mode->name, run.times.expected_ns, on_chip_bytes);
    recorder_add_point(recorder, "bound", run.bound.expected_ns, 0);
}

/* Records a front under the name of its planner or, where transfers start in the order of need, as
   FRONTS_IN_ORDER. *arena_bytes, if it is wanted, becomes the arena of the tensors. */
static void record_front(struct recorder *recorder, const char *planner,
                         const struct transfer_mode *mode, bool in_order, uint64_t *arena_bytes)
{
    const struct transfer_request request = {.instance = recorder->instance,
                                             .setting = {recorder->hardware, mode, 0},
                                             .planner = planners_find(planner),
                                             .policy = &policy_flat,
                                             .capacity_bytes = UINT64_MAX,
                                             .time_limit_ns = UINT64_C(4000000000),
                                             .seed = 1,
                                             .in_order = in_order};
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    SCOPED(planned_front_release) struct planned_front *front = NULL;
    char name[64];
    if (!recorder->status)
        recorder->status = transfer_planned_search(&request, &run, &front, recorder->error);
    if (!recorder->status && arena_bytes)
        recorder->status = transfer_planned_arena(&request, front, arena_bytes, recorder->error);
    snprintf(name, sizeof name, "planned %s", in_order ? FRONTS_IN_ORDER : planner);
    recorder_add_front(recorder, name, front);
}

/* Records all modes. For modes other than planned, their buffers are added to the arena that the
   last planner found. */
static void measure(struct recorder *recorder)
{
    uint64_t arena_bytes = 0;
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        if (transfer_modes_at(m)->in_arena) {
            record_front(recorder, planners[0], transfer_modes_at(m), true, NULL);
            for (size_t p = 0; p < sizeof planners / sizeof *planners; p++)
                record_front(recorder, planners[p], transfer_modes_at(m), false, &arena_bytes);
        }
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        if (!transfer_modes_at(m)->in_arena)
            record_mode(recorder, transfer_modes_at(m), arena_bytes);
}

const struct reproduction reproduction_dma_front = {
    .name = "dma-front",
    .is_apart = true,
    .title = "Time against on-chip bytes of weight transfers",
    .paragraph =
        "Every mode on networks with int8 weights and tensors under the profile ethos_u55. In mode "
        "planned weights take part in the plan of the tensors, and when each transfer starts is "
        "chosen under a capacity.",
    .suite = "prefetch",
    .hardware = "ethos_u55",
    .tables = (const char *const[]){"dma-front", NULL},
    .plots = (const char *const[]){"dma-front", NULL},
    .measure = measure,
};
