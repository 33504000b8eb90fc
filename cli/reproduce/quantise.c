/* The reproduction quantise: drawn weights as int8 and int4, as measures of the topic "quantise",
   and what transfers then take under the profile ethos_u55, as measures of "quantise-dma". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "core/memory.h"
#include "dma/quantise/quantise.h"
#include "dma/run.h"
#include "harness/files/hardware_file.h"

enum { RING_BUFFERS = 3 };

struct recorder {
    const struct instance *instance;
    const struct hardware *hardware;
    struct store *store;
    const struct record_context *context;
    struct error *error;
};

/* Records how long the transfers of the graph in its present form take. */
static enum status record_mode(const struct recorder *recorder, const char *dtype,
                               const struct transfer_mode *mode)
{
    const struct transfer_setting setting = {recorder->hardware, mode, RING_BUFFERS};
    struct transfer_run run;
    char variant[64];
    snprintf(variant, sizeof variant, "%s %s", dtype, mode->name);
    const struct record_measured measured = {recorder->context, recorder->instance, "quantise-dma",
                                             variant};
    enum status status =
        transfer_run_fill(recorder->instance->graph, &setting, &run, recorder->error);
    const struct record_number total = {"total_ns", (int64_t)run.times.expected_ns};
    if (!status)
        status = record_write_measures(recorder->store, &measured, &total, 1, recorder->error);
    transfer_run_clear(&run);
    return status;
}

static enum status record_modes(const struct recorder *recorder, const char *dtype)
{
    for (uint32_t m = 0; m < transfer_modes_count(); m++)
        TRY(record_mode(recorder, dtype, transfer_modes_at(m)));
    return STATUS_OK;
}

/* Records sizes and the signal-to-noise ratio. Where nothing was lost there is no such ratio, and
   no measure of it. */
static enum status record_sizes(const struct recorder *recorder,
                                const struct quantisation *quantisation, const char *dtype)
{
    double decibels = quantise_decibels(&quantisation->loss);
    bool lost = isfinite(decibels);
    const struct record_number numbers[] = {
        {"bytes_before", (int64_t)quantisation->bytes_before},
        {"bytes_after", (int64_t)quantisation->bytes_after},
        {"snr_millidecibels", lost ? llround(1000 * decibels) : 0}};
    const struct record_measured measured = {recorder->context, recorder->instance, "quantise",
                                             dtype};
    return record_write_measures(recorder->store, &measured, numbers, lost ? 3 : 2,
                                 recorder->error);
}

/* Records a quantised graph. Afterwards the graph gets its original weights back. */
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

static enum status measure(const struct instance *instance, struct store *store,
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

const struct reproduction reproduction_quantise = {
    .name = "quantise",
    .title = "Weight quantisation",
    .paragraph =
        "Xu 2019, Table 6.3: twelve networks with 16-bit weights, whose weights become int8 and "
        "int4 by position and scale.",
    .suite = "quantise",
    .tables = (const char *const[]){"quantise", "quantise-dma", NULL},
    .measure = measure,
};
