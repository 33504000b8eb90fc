#include "cli/reproduce/dma_front.h"

#include <stdio.h>

#include "cli/dma/dma_planned.h"
#include "core/checked.h"
#include "harness/files/hardware_file.h"
#include "harness/planners/planners.h"
#include "results/store/measures.h"

enum { RING_BUFFERS = 3 };
static const char hardware_name[] = "ethos_u55";
static const char *const planners[] = {"large_first", "descent"};
static const struct arguments defaults = {
    .time_limit_ns = UINT64_C(4000000000), .capacity_bytes = UINT64_MAX, .seed = 1};

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
    struct measure measure = {.run = recorder->context->run,
                              .instance = recorder->instance->name,
                              .digest = recorder->instance->digest,
                              .topic = "dma-front",
                              .variant = variant,
                              .host = recorder->context->host,
                              .build = recorder->context->build,
                              .started = recorder->context->started};
    struct measure measures[2] = {measure, measure};
    measures[0].name = "total_ns";
    measures[0].value = (int64_t)total_ns;
    measures[1].name = "on_chip_bytes";
    measures[1].value = (int64_t)on_chip_bytes;
    return measures_write(recorder->store, measures, 2, recorder->error);
}

static enum status record_mode(const struct recorder *recorder, const struct transfer_mode *mode,
                               uint64_t arena_bytes)
{
    struct transfer_run run;
    uint64_t on_chip_bytes;
    enum status status = transfer_run_fill(
        recorder->instance->graph,
        &(struct transfer_setting){recorder->hardware, mode, RING_BUFFERS}, &run, recorder->error);
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

static enum status record_front(const struct recorder *recorder, const struct planner *planner,
                                const struct transfer_mode *mode, uint64_t *arena_bytes)
{
    struct transfer_run run = {0};
    struct planned_front *front = NULL;
    enum status status =
        dma_planned_search(&defaults, planner, recorder->hardware, recorder->instance, mode, &run,
                           &front, recorder->error);
    if (!status)
        status = dma_planned_arena(&defaults, planner, front, arena_bytes, recorder->error);
    if (!status)
        status = record_points(recorder, planner->name, front);
    planned_front_free(front);
    transfer_run_clear(&run);
    return status;
}

/* The other modes get the arena of the last planner. */
static enum status record_all(const struct recorder *recorder)
{
    uint64_t arena_bytes = 0;
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

enum status dma_front_record(const struct instance *instance, struct store *store,
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
