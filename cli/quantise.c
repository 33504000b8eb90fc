#include "cli/quantise.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/select.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/graph_json.h"
#include "dma/quantise.h"
#include "dma/transfer_run.h"
#include "harness/hardware_file.h"
#include "harness/plan_file.h"
#include "results/measures.h"

static json_t *make_decibels(const struct fixed_point_loss *loss)
{
    double decibels = quantise_decibels(loss);
    return isfinite(decibels) ? json_real(decibels) : json_null();
}

static json_t *make_weight(const struct graph *graph, const struct quantisation *quantisation,
                           uint32_t index)
{
    const struct quantised_weight *weight = &quantisation->weight[index];
    const struct graph_weight *named = &graph->weight[index];
    json_t *made = json_pack("{ss ss ss sI sI}", "operator",
                             graph_label(graph, graph->operator[weight->operator].name), "weight",
                                         graph_label(graph, named->name), "dtype",
                                         graph_dtype_name(named->dtype), "bytes_before",
                                         (json_int_t)weight->bytes_before, "bytes_after",
                                         (json_int_t)weight->bytes_after);
    if (!made || !weight->quantised)
        return made;
    json_t *format = json_pack("{sI si sf so}", "elements", (json_int_t)weight->elements,
                               "position", weight->format.position, "scale", weight->format.scale,
                               "snr_db", make_decibels(&weight->loss));
    json_object_update(made, format);
    json_decref(format);
    return made;
}

static json_t *make_facts(const struct instance *instance, const struct quantisation *quantisation)
{
    json_t *weights = json_array();
    double ratio = quantisation->bytes_after
                       ? (double)quantisation->bytes_before / (double)quantisation->bytes_after
                       : 1;
    for (uint32_t w = 0; w < quantisation->weights; w++)
        json_array_append_new(weights, make_weight(instance->graph, quantisation, w));
    return json_pack("{ss sI sI sI sI sI sf so so}", "name", instance->name, "bits",
                     (json_int_t)quantisation->bits, "weights", (json_int_t)quantisation->weights,
                     "quantised", (json_int_t)quantisation->quantised, "bytes_before",
                     (json_int_t)quantisation->bytes_before, "bytes_after",
                     (json_int_t)quantisation->bytes_after, "ratio", ratio, "snr_db",
                     make_decibels(&quantisation->loss), "tensors", weights);
}

static void print_weights(const struct graph *graph, const struct quantisation *quantisation)
{
    printf("\n%-28s %12s %12s %8s %9s %7s\n", "weight", "before", "after", "position", "scale",
           "dB");
    for (uint32_t w = 0; w < quantisation->weights; w++) {
        const struct quantised_weight *weight = &quantisation->weight[w];
        printf("%-28s %12" PRIu64 " %12" PRIu64, graph_label(graph, graph->weight[w].name),
               weight->bytes_before, weight->bytes_after);
        if (weight->quantised)
            printf(" %8d %9.6f %7.2f", weight->format.position, weight->format.scale,
                   quantise_decibels(&weight->loss));
        printf("\n");
    }
}

static enum status print_quantisation(const struct arguments *arguments,
                                      const struct instance *instance,
                                      const struct quantisation *quantisation, struct error *error)
{
    json_t *facts = make_facts(instance, quantisation);
    if (!facts || arguments->json)
        return json_print(facts, error);
    json_print_facts(facts);
    json_decref(facts);
    print_weights(instance->graph, quantisation);
    return STATUS_OK;
}

static enum status write_graph(const struct arguments *arguments,
                               const struct quantisation *quantisation, struct graph *graph,
                               struct error *error)
{
    struct text text = {0};
    if (!arguments->output)
        return STATUS_OK;
    quantise_apply(quantisation, graph);
    enum status status = graph_json_write(graph, &text, error);
    if (!status)
        status = text_write_file(arguments->output, &text, error);
    text_free(&text);
    return status;
}

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
    enum status status = transfer_run_fill(recorder->instance->graph, recorder->hardware, mode,
                                           RING_BUFFERS, &run, recorder->error);
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

static enum status record_bits(const struct recorder *recorder, uint32_t bits)
{
    struct weight_source source = weight_source_draw(recorder->instance->graph, 1);
    struct quantisation *quantisation;
    TRY(quantise_graph(recorder->instance->graph, &source, bits, &quantisation, recorder->error));
    enum status status = record_quantised(recorder, quantisation, bits == 8 ? "int8" : "int4");
    quantise_free(quantisation);
    return status;
}

static enum status record_all(const struct recorder *recorder)
{
    TRY(record_modes(recorder, "before"));
    TRY(record_bits(recorder, 8));
    return record_bits(recorder, 4);
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

static enum status quantise_instance(const struct arguments *arguments,
                                     const struct instance *instance,
                                     struct quantisation **quantisation, struct error *error)
{
    struct weight_source source = weight_source_draw(instance->graph, arguments->seed);
    if (arguments->weights)
        TRY(weight_source_open(instance->graph, arguments->weights, &source, error));
    enum status status =
        quantise_graph(instance->graph, &source, (uint32_t)arguments->bits, quantisation, error);
    weight_source_close(&source);
    return status;
}

static enum status run_quantise(const struct arguments *arguments, struct instance *instance,
                                struct error *error)
{
    struct quantisation *quantisation;
    if (!instance->graph)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, expected a graph with weights",
                         instance->name);
    TRY(quantise_instance(arguments, instance, &quantisation, error));
    enum status status = print_quantisation(arguments, instance, quantisation, error);
    if (!status)
        status = write_graph(arguments, quantisation, instance->graph, error);
    quantise_free(quantisation);
    return status;
}

enum status command_quantise(const struct arguments *arguments, struct error *error)
{
    struct instance *instance;
    if (arguments->output && !plan_file_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE, "output '%s', expected FILE.json", arguments->output);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status = run_quantise(arguments, instance, error);
    instance_free(instance);
    return status;
}
