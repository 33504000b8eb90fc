/* The reproduction throughput: what twelve networks take on a model of the thesis' chip with 16-bit
   weights and arithmetic, and with 8-bit ones, as measures of the topic "throughput". */
#include <stdio.h>
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "core/memory.h"
#include "dma/run.h"
#include "harness/files/hardware_file.h"
#include "planning/graph/dtype.h"

enum { RING_BUFFERS = 3 };

/* The two extremes: all weights are loaded before anything computes, and the fastest schedule that
   is known. */
static const char *const modes[] = {"sync", "planned"};

struct recorder {
    const struct instance *instance;
    struct store *store;
    const struct record_context *context;
    struct error *error;
};

static enum status record_mode(const struct recorder *recorder, const struct hardware *hardware,
                               const char *dtype, const char *mode)
{
    struct transfer_setting setting = {hardware, NULL, RING_BUFFERS};
    struct transfer_run run;
    char variant[64];
    snprintf(variant, sizeof variant, "%s %s", dtype, mode);
    const struct record_measured measured = {recorder->context, recorder->instance, "throughput",
                                             variant};
    TRY(transfer_modes_find(mode, &setting.mode, recorder->error));
    enum status status =
        transfer_run_fill(recorder->instance->graph, &setting, &run, recorder->error);
    const struct record_number total = {"total_ns", (int64_t)run.times.expected_ns};
    if (!status)
        status = record_write_measures(recorder->store, &measured, &total, 1, recorder->error);
    transfer_run_clear(&run);
    return status;
}

/* Records the graph in its present form on the chip's profile for this type of numbers. */
static enum status record_dtype(const struct recorder *recorder, const char *dtype)
{
    struct hardware hardware = {0};
    char profile[64];
    snprintf(profile, sizeof profile, "mlu100_%s", dtype);
    enum status status = hardware_file_load(profile, &hardware, recorder->error);
    for (size_t m = 0; m < sizeof modes / sizeof *modes && !status; m++)
        status = record_mode(recorder, &hardware, dtype, modes[m]);
    hardware_clear(&hardware);
    return status;
}

/* Gives the weights the sizes that quantising would give them, without drawing values. */
static void shrink_weights(struct graph *graph)
{
    uint8_t before = 0, after = 0;
    graph_dtype_find("float16", &before);
    graph_dtype_find("int8", &after);
    for (uint32_t w = 0; w < graph->weights; w++) {
        if (graph->weight[w].dtype != before)
            continue;
        graph->weight[w].dtype = after;
        graph->weight[w].bytes /= 2;
    }
}

/* Records the graph with smaller weights. Afterwards it gets its original weights back. */
static enum status record_shrunk(const struct recorder *recorder)
{
    struct graph *graph = recorder->instance->graph;
    size_t bytes = graph->weights * sizeof *graph->weight;
    struct graph_weight *kept;
    TRY(memory_create(&kept, graph->weights, sizeof *kept, recorder->error));
    memcpy(kept, graph->weight, bytes);
    shrink_weights(graph);
    enum status status = record_dtype(recorder, "int8");
    memcpy(graph->weight, kept, bytes);
    memory_free(kept);
    return status;
}

static enum status measure(const struct instance *instance, struct store *store,
                           const struct record_context *context, struct error *error)
{
    const struct recorder recorder = {instance, store, context, error};
    TRY(record_dtype(&recorder, "float16"));
    return record_shrunk(&recorder);
}

const struct reproduction reproduction_throughput = {
    .name = "throughput",
    .title = "Images per second before and after quantisation",
    .paragraph = "Xu 2019, Table 6.4, beside what the peak rates and the memory bandwidth of the "
                 "chip allow one "
                 "image at a time.",
    .suite = "quantise",
    .tables = (const char *const[]){"throughput", NULL},
    .measure = measure,
};
