#include "cli/reproduce/dma_record.h"

#include <stdio.h>

#include "dma/run.h"
#include "harness/files/hardware_file.h"
#include "results/store/measures.h"

enum { MEASURES = 4, RING_BUFFERS = 3 };

static enum status write_measures(const struct instance *instance, const struct transfer_run *run,
                                  struct store *store, const struct record_context *context,
                                  struct error *error)
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[MEASURES] = {{"total_ns", run->times.expected_ns},
                           {"worst_ns", run->times.worst_ns},
                           {"bound_ns", run->bound.expected_ns},
                           {"buffer_bytes", run->buffer_bytes}};
    char variant[HARDWARE_NAME_BYTES + 64], ring[16] = "";
    struct measure measures[MEASURES];
    if (run->mode->takes_buffers)
        snprintf(ring, sizeof ring, " %u", run->program->buffers);
    snprintf(variant, sizeof variant, "%s %s%s", run->costs->hardware->name, run->mode->name, ring);
    for (int i = 0; i < MEASURES; i++)
        measures[i] = (struct measure){.run = context->run,
                                       .instance = instance->name,
                                       .digest = instance->digest,
                                       .topic = "dma",
                                       .variant = variant,
                                       .name = numbers[i].name,
                                       .value = (int64_t)numbers[i].value,
                                       .host = context->host,
                                       .build = context->build,
                                       .started = context->started};
    return measures_write(store, measures, MEASURES, error);
}

static enum status record_modes(const struct instance *instance, const struct hardware *hardware,
                                struct store *store, const struct record_context *context,
                                struct error *error)
{
    for (uint32_t m = 0; m < transfer_modes_count(); m++) {
        struct transfer_run run;
        enum status status = transfer_run_fill(
            instance->graph,
            &(struct transfer_setting){hardware, transfer_modes_at(m), RING_BUFFERS}, &run, error);
        if (!status)
            status = write_measures(instance, &run, store, context, error);
        transfer_run_clear(&run);
        TRY(status);
    }
    return STATUS_OK;
}

enum status dma_record(const struct instance *instance, struct store *store,
                       const struct record_context *context, struct error *error)
{
    struct hardware hardware = {0};
    enum status status = hardware_file_load("luna", &hardware, error);
    if (!status)
        status = record_modes(instance, &hardware, store, context, error);
    hardware_clear(&hardware);
    return status;
}
