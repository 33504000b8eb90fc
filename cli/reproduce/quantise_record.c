#include "cli/reproduce/quantise_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "dma/quantise/quantise.h"
#include "dma/run.h"
#include "harness/files/hardware_file.h"
#include "results/store/measures.h"

enum { MEASURES = 3, RING_BUFFERS = 3 };

struct recorder {
    const struct instance *instance;
    const struct hardware *hardware;
    struct store *store;
    const struct record_context *context;
    struct error *error;
};

static struct measure make_measure(const struct recorder *recorder, const char *topic,
                                   const char *variant)
{
    return (struct measure){.run = recorder->context->run,
                            .instance = recorder->instance->name,
                            .digest = recorder->instance->digest,
                            .topic = topic,
                            .variant = variant,
                            .host = recorder->context->host,
                            .build = recorder->context->build,
                            .started = recorder->context->started};
}

/* What the graph takes to transfer as it is now. */
static enum status record_mode(const struct recorder *recorder, const char *dtype,
                               const struct transfer_mode *mode)
{
    struct transfer_run run;
    char variant[64];
    snprintf(variant, sizeof variant, "%s %s", dtype, mode->name);
    struct measure measure = make_measure(recorder, "quantise-dma", variant);
    enum status status = transfer_run_fill(
        recorder->instance->graph,
        &(struct transfer_setting){recorder->hardware, mode, RING_BUFFERS}, &run, recorder->error);
    measure.name = "total_ns";
    measure.value = (int64_t)run.times.expected_ns;
    if (!status)
        status = measures_write(recorder->store, &measure, 1, recorder->error);
    transfer_run_clear(&run);
    return status;
}

static enum status record_modes(const struct recorder *recorder, const char *dtype)
{
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        TRY(record_mode(recorder, dtype, transfer_modes_at(m)));
    return STATUS_OK;
}

static enum status record_sizes(const struct recorder *recorder,
                                const struct quantisation *quantisation, const char *dtype)
{
    struct measure measure = make_measure(recorder, "quantise", dtype);
    struct measure measures[MEASURES] = {measure, measure, measure};
    double decibels = quantise_decibels(&quantisation->loss);
    measures[0].name = "bytes_before";
    measures[0].value = (int64_t)quantisation->bytes_before;
    measures[1].name = "bytes_after";
    measures[1].value = (int64_t)quantisation->bytes_after;
    measures[2].name = "snr_millidecibels";
    measures[2].value = isfinite(decibels) ? llround(1000 * decibels) : 0;
    return measures_write(recorder->store, measures, isfinite(decibels) ? MEASURES : MEASURES - 1,
                          recorder->error);
}

/* The graph gets its weights back afterwards. */
static enum status record_quantised(const struct recorder *recorder,
                                    const struct quantisation *quantisation, const char *dtype)
{
    struct graph *graph = recorder->instance->graph;
    size_t bytes = graph->weights * sizeof *graph->weight;
    struct graph_weight *kept;
    TRY(record_sizes(recorder, quantisation, dtype));
    TRY(memory_create(&kept, graph->weights, sizeof *kept, recorder->error));
    memcpy(kept, graph->weight, bytes);
    quantise_apply(quantisation, graph);
    enum status status = record_modes(recorder, dtype);
    memcpy(graph->weight, kept, bytes);
    memory_free(kept);
    return status;
}

static enum status record_all(const struct recorder *recorder)
{
    static const uint32_t bits[] = {8, 4};
    static const char *const dtype[] = {"int8", "int4"};
    struct quantisation *quantisation[2];
    struct weight_source source = weight_source_draw(recorder->instance->graph, 1);
    TRY(record_modes(recorder, "before"));
    TRY(quantise_graph(&source, bits, 2, quantisation, recorder->error));
    enum status status = STATUS_OK;
    for (int i = 0; i < 2; i++) {
        if (!status)
            status = record_quantised(recorder, quantisation[i], dtype[i]);
        quantise_free(quantisation[i]);
    }
    return status;
}

enum status quantise_record(const struct instance *instance, struct store *store,
                            const struct record_context *context, struct error *error)
{
    struct hardware hardware = {0};
    const struct recorder recorder = {instance, &hardware, store, context, error};
    enum status status = hardware_file_load("ethos_u55", &hardware, error);
    if (!status)
        status = record_all(&recorder);
    hardware_clear(&hardware);
    return status;
}
