/* The reproduction dma-front: time and on-chip bytes of every mode of weight transfer under the
   profile ethos_u55, and the front of mode planned by two planners, as measures of the topic
   "dma-front". */
#include <stdio.h>

#include "cli/reproduce/reproduction.h"
#include "core/checked.h"
#include "harness/files/hardware_file.h"
#include "harness/planners/planners.h"
#include "harness/transfers/planned.h"
#include "results/views/fronts.h"

enum { RING_BUFFERS = 3 };
static const char hardware_name[] = "ethos_u55";
static const char *const planners[] = {"large_first", "descent"};
/* This planner also makes the front with transfers in the order of need. */
static const char in_order_planner[] = "large_first";

struct recorder {
    const struct instance *instance;
    const struct hardware *hardware;
    struct store *store;
    const struct record_context *context;
    struct error *error;
};

static enum status write_measures(const struct recorder *recorder, const char *variant,
                                  uint64_t total_ns, uint64_t on_chip_bytes)
{
    const struct record_number numbers[] = {{"total_ns", (int64_t)total_ns},
                                            {"on_chip_bytes", (int64_t)on_chip_bytes}};
    const struct record_measured measured = {recorder->context, recorder->instance, "dma-front",
                                             variant};
    return record_write_measures(recorder->store, &measured, numbers, 2, recorder->error);
}

static enum status record_mode(const struct recorder *recorder, const struct transfer_mode *mode,
                               uint64_t arena_bytes)
{
    const struct transfer_setting setting = {recorder->hardware, mode, RING_BUFFERS};
    struct transfer_run run;
    uint64_t on_chip_bytes;
    enum status status =
        transfer_run_fill(recorder->instance->graph, &setting, &run, recorder->error);
    if (!status && !checked_add(arena_bytes, run.buffer_bytes, &on_chip_bytes))
        status =
            error_set(recorder->error, STATUS_BAD_INPUT, "arena and buffers exceed 2^64 bytes");
    if (!status)
        status = write_measures(recorder, mode->name, run.times.expected_ns, on_chip_bytes);
    if (!status)
        status = write_measures(recorder, "bound", run.bound.expected_ns, 0);
    transfer_run_clear(&run);
    return status;
}

static enum status record_points(const struct recorder *recorder, const char *planner,
                                 const struct planned_front *front)
{
    char variant[96];
    for (uint32_t i = 0; i < front->count; i++) {
        snprintf(variant, sizeof variant, "planned %s %03u", planner, i);
        TRY(write_measures(recorder, variant, front->point[i].times.expected_ns,
                           front->point[i].on_chip_bytes));
    }
    return STATUS_OK;
}

static struct transfer_request make_request(const struct recorder *recorder,
                                            const struct planner *planner,
                                            const struct transfer_mode *mode)
{
    return (struct transfer_request){.instance = recorder->instance,
                                     .setting = {recorder->hardware, mode, 0},
                                     .planner = planner,
                                     .policy = &policy_flat,
                                     .capacity_bytes = UINT64_MAX,
                                     .time_limit_ns = UINT64_C(4000000000),
                                     .seed = 1};
}

static enum status record_in_order(const struct recorder *recorder,
                                   const struct transfer_mode *mode)
{
    struct transfer_request request = make_request(recorder, planners_find(in_order_planner), mode);
    struct transfer_run run = {0};
    struct planned_front *front = NULL;
    request.in_order = true;
    enum status status = transfer_planned_search(&request, &run, &front, recorder->error);
    if (!status)
        status = record_points(recorder, FRONTS_IN_ORDER, front);
    planned_front_free(front);
    transfer_run_clear(&run);
    return status;
}

static enum status record_front(const struct recorder *recorder, const struct planner *planner,
                                const struct transfer_mode *mode, uint64_t *arena_bytes)
{
    const struct transfer_request request = make_request(recorder, planner, mode);
    struct transfer_run run = {0};
    struct planned_front *front = NULL;
    enum status status = transfer_planned_search(&request, &run, &front, recorder->error);
    if (!status)
        status = transfer_planned_arena(&request, front, arena_bytes, recorder->error);
    if (!status)
        status = record_points(recorder, planner->name, front);
    planned_front_free(front);
    transfer_run_clear(&run);
    return status;
}

/* Records all modes. For modes other than planned, their buffers are added to the arena that the
   last planner found. */
static enum status record_all(const struct recorder *recorder)
{
    uint64_t arena_bytes = 0;
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        if (transfer_modes_at(m)->in_arena)
            TRY(record_in_order(recorder, transfer_modes_at(m)));
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        for (size_t p = 0; p < sizeof planners / sizeof *planners; p++)
            if (transfer_modes_at(m)->in_arena)
                TRY(record_front(recorder, planners_find(planners[p]), transfer_modes_at(m),
                                 &arena_bytes));
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        if (!transfer_modes_at(m)->in_arena)
            TRY(record_mode(recorder, transfer_modes_at(m), arena_bytes));
    return STATUS_OK;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    struct hardware hardware = {0};
    const struct recorder recorder = {instance, &hardware, store, context, error};
    enum status status = hardware_file_load(hardware_name, &hardware, error);
    if (!status)
        status = record_all(&recorder);
    hardware_clear(&hardware);
    return status;
}

const struct reproduction reproduction_dma_front = {
    .name = "dma-front",
    .title = "Time against on-chip bytes of weight transfers",
    .paragraph =
        "Every mode on networks with int8 weights and tensors under the profile ethos_u55. In mode "
        "planned weights take part in the plan of the tensors, and when each transfer starts is "
        "chosen under a capacity.",
    .suite = "prefetch",
    .tables = (const char *const[]){"dma-front", NULL},
    .plots = (const char *const[]){"dma-front", NULL},
    .measure = measure,
};
