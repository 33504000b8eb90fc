#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "core/file_name.h"
#include "core/text.h"
#include "datasets/memplan_json/graph.h"
#include "dma/quantise/quantise.h"

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
    json_t *made = json_pack(
        "{ss ss ss sI sI}", "operator", graph_label(graph, graph->op[weight->op].name), "weight",
        graph_label(graph, named->name), "dtype", graph_dtype_name(named->dtype), "bytes_before",
        (json_int_t)weight->bytes_before, "bytes_after", (json_int_t)weight->bytes_after);
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

static enum status quantise_instance(const struct arguments *arguments,
                                     const struct instance *instance,
                                     struct quantisation **quantisation, struct error *error)
{
    struct weight_source source = weight_source_draw(instance->graph, arguments->seed);
    if (arguments->weights)
        TRY(weight_source_open(instance->graph, arguments->weights, &source, error));
    uint32_t bits = (uint32_t)arguments->bits;
    enum status status = quantise_graph(&source, &bits, 1, quantisation, error);
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
    if (arguments->output && !file_name_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE, "output '%s', expected FILE.json", arguments->output);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status = run_quantise(arguments, instance, error);
    instance_free(instance);
    return status;
}
