/* The reproductions of Xu 2019 beside the cache: drawn weights as int8 and int4, and images a
   second on a model of the chip, as measures of the topics "quantise" and "throughput"; and what
   the thesis prints of these and of the cache, as measures of the topic "xu2019". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/reproduce/reproduction.h"
#include "core/memory.h"
#include "harness/files/hardware_file.h"
#include "harness/files/quantised_file.h"
#include "planning/graph/dtype.h"
#include "quantise/quantise.h"

/* Records the sizes of quantised weights, and the signal-to-noise ratio, which does not exist where
   nothing was lost. */
static void record_quantised(struct recorder *recorder, const struct quantisation *quantisation,
                             const char *dtype)
{
    double decibels = quantise_decibels(&quantisation->loss);
    bool lost = isfinite(decibels);
    recorder_add_all(
        recorder, dtype,
        (const struct record_number[]){{"bytes_before", (int64_t)quantisation->bytes_before},
                                       {"bytes_after", (int64_t)quantisation->bytes_after},
                                       {"snr_millidecibels", lost ? llround(1000 * decibels) : 0}},
        lost ? 3 : 2);
}

/* Records the bytes of the file that holds the quantised weights. */
static void record_file(struct recorder *recorder, struct weight_source *source,
                        const struct quantisation *quantisation, const char *dtype)
{
    char folder[512], path[sizeof folder + 16];
    uint64_t bytes = 0;
    recorder_make_folder(recorder, folder, sizeof folder);
    if (recorder->status)
        return;
    snprintf(path, sizeof path, "%s/weights.mpa", folder);
    recorder->status = quantised_file_write(path, source, quantisation, &bytes, recorder->error);
    recorder_add(recorder, dtype, "bytes_in_file", bytes);
    remove(path);
    remove(folder);
}

static void measure_quantised(struct recorder *recorder)
{
    static const uint32_t bits[] = {8, 4};
    static const char *const dtype[] = {"int8", "int4"};
    struct quantisation *quantisation[2];
    struct weight_source source = weight_source_draw(recorder->instance->graph, 1);
    recorder->status = quantise_graph(&source, bits, 2, quantisation, recorder->error);
    if (recorder->status)
        return;
    record_file(recorder, &source, quantisation[0], dtype[0]);
    for (int i = 0; i < 2; i++) {
        record_quantised(recorder, quantisation[i], dtype[i]);
        quantise_free(quantisation[i]);
    }
}

/* Records how many images a second the graph in its present form allows on the chip's profile for
   this type of numbers by the fastest schedule that is known. */
static void record_rate(struct recorder *recorder, const char *dtype)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    SCOPED(transfer_run_clear) struct transfer_run run = {0};
    char profile[64];
    snprintf(profile, sizeof profile, "mlu100_%s", dtype);
    if (!recorder->status)
        recorder->status = hardware_file_load(profile, &hardware, recorder->error);
    recorder->hardware = &hardware;
    recorder_run(recorder, "planned", &run);
    if (run.times.expected_ns)
        recorder_add(recorder, dtype, "rate", UINT64_C(1000000000000000) / run.times.expected_ns);
    recorder->hardware = NULL;
}

/* Records the graph, and then with smaller weights. Afterwards it gets its original ones back. */
static void measure_rates(struct recorder *recorder)
{
    struct graph *graph = recorder->instance->graph;
    size_t bytes = graph->weights * sizeof *graph->weight;
    SCOPED(memory_release) struct graph_weight *kept = NULL;
    record_rate(recorder, "float16");
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
    record_rate(recorder, "int8");
    memcpy(graph->weight, kept, bytes);
}

/* Writes how many plans of all networks and planners came back from the cache with another offset,
   the bytes of the files of quantised weights, the modelled rates, and the ratio of types. */
static void conclude(struct recorder *recorder)
{
    static const char *const topics[] = {"cache", "quantise", "throughput"};
    int64_t changed = 0;
    uint8_t before = 0, after = 0;
    for (unsigned t = 0; t < sizeof topics / sizeof *topics; t++) {
        SCOPED(measures_free) struct measure_set set = {0};
        recorder_read(recorder, topics[t], topics[t], &set);
        for (uint32_t i = 0; i < set.count; i++) {
            const struct measure *measure = &set.measure[i];
            changed += strcmp(measure->name, "identical") == 0 && !measure->value;
            if (t > 0)
                recorder_conclude(recorder, measure->instance, measure->variant, measure->name,
                                  measure->value);
        }
    }
    recorder_conclude(recorder, "networks", "cache", "changed", changed);
    graph_dtype_find("float32", &before);
    graph_dtype_find("int8", &after);
    recorder_conclude(recorder, "networks", "float32 to int8", "ratio",
                      INT64_C(1000000) * graph_dtype_bits(before) / graph_dtype_bits(after));
}

const struct reproduction reproduction_quantise = {
    .name = "quantise",
    .title = "Weight quantisation",
    .paragraph =
        "Xu 2019, Table 6.3: twelve networks with 16-bit weights, whose weights become int8 and "
        "int4 by position and scale.",
    .suite = "quantise",
    .tables = NAMES("quantise"),
    .measure = measure_quantised,
};

const struct reproduction reproduction_throughput = {
    .name = "throughput",
    .title = "Images per second before and after quantisation",
    .paragraph = "Xu 2019, Table 6.4, beside what the peak rates and the memory bandwidth of the "
                 "chip allow one image at a time.",
    .suite = "quantise",
    .measure = measure_rates,
};

const struct reproduction reproduction_xu2019 = {
    .name = "xu2019",
    .title = "A library that caches what it compiled, and quantises weights",
    .paragraph =
        "Caching of compiled networks, weights as int8. Its ratios and gains follow from the "
        "sizes and rates that it prints; its seconds and rates are those of a compiler and a "
        "chip that are not here, its accuracies those of trained models.",
    .source = "xu2019",
    .page = "xu2019",
    .builds_on = NAMES("cache", "quantise", "throughput"),
    .tables = NAMES("xu2019"),
    .conclude = conclude,
};
