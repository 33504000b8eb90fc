/* The reproduction throughput: images a second of twelve networks on a model of the chip of Xu
   2019, with 16-bit and with 8-bit weights and arithmetic, as measures of the topic "throughput".
 */
#include <stdio.h>
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "core/memory.h"
#include "harness/files/hardware_file.h"
#include "planning/graph/dtype.h"

/* Records how many images a second the graph in its present form allows on the chip's profile for
   this type of numbers by the fastest schedule that is known. */
static void record_dtype(struct recorder *recorder, const char *dtype)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    char profile[64];
    snprintf(profile, sizeof profile, "mlu100_%s", dtype);
    if (!recorder->status)
        recorder->status = hardware_file_load(profile, &hardware, recorder->error);
    recorder->hardware = &hardware;
    recorder_run(recorder, recorder_find_mode(recorder, "planned"), &run);
    if (run.times.expected_ns)
        recorder_add(recorder, dtype, UINT64_C(1000000000000000) / run.times.expected_ns, "rate");
    recorder->hardware = NULL;
}

/* Records the graph, and then with smaller weights. Afterwards it gets its original ones back. */
static void measure(struct recorder *recorder)
{
    struct graph *graph = recorder->instance->graph;
    size_t bytes = graph->weights * sizeof *graph->weight;
    SCOPED(memory_release) struct graph_weight *kept = NULL;
    record_dtype(recorder, "float16");
    if (!recorder->status)
        recorder->status = memory_create(&kept, graph->weights, sizeof *kept, recorder->error);
    if (recorder->status)
        return;
    memcpy(kept, graph->weight, bytes);
    /* Gives the weights the sizes that quantising would give them, without drawing values. */
    uint8_t before = 0, after = 0;
    graph_dtype_find("float16", &before);
    graph_dtype_find("int8", &after);
    for (uint32_t w = 0; w < graph->weights; w++) {
        if (graph->weight[w].dtype != before)
            continue;
        graph->weight[w].dtype = after;
        graph->weight[w].bytes /= 2;
    }
    record_dtype(recorder, "int8");
    memcpy(graph->weight, kept, bytes);
}

const struct reproduction reproduction_throughput = {
    .name = "throughput",
    .title = "Images per second before and after quantisation",
    .paragraph = "Xu 2019, Table 6.4, beside what the peak rates and the memory bandwidth of the "
                 "chip allow one image at a time.",
    .suite = "quantise",
    .measure = measure,
};
