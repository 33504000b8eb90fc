/* The command quantise: weights of a graph as int8 or int4, and what that loses. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "core/file_name.h"
#include "core/text.h"
#include "datasets/memplan_json/graph.h"
#include "dma/quantise/quantise.h"
#include "harness/files/plan_write.h"
#include "planning/graph/dtype.h"

static void add_decibels(const struct fixed_point_loss *loss, struct json_tree *facts)
{
    double decibels = quantise_decibels(loss);
    if (isfinite(decibels))
        json_build_real(facts, "snr_db", decibels);
    else
        json_build_null(facts, "snr_db");
}

static void add_weight(const struct graph *graph, const struct quantisation *quantisation,
                       uint32_t index, struct json_tree *facts)
{
    const struct quantised_weight *weight = &quantisation->weight[index];
    const struct graph_weight *named = &graph->weight[index];
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "operator", graph_label(graph, graph->op[weight->op].name));
    json_build_text(facts, "weight", graph_label(graph, named->name));
    json_build_text(facts, "dtype", graph_dtype_name(named->dtype));
    json_build_count(facts, "bytes_before", weight->bytes_before);
    json_build_count(facts, "bytes_after", weight->bytes_after);
    if (weight->quantised) {
        json_build_count(facts, "elements", weight->elements);
        json_build_integer(facts, "position", weight->format.position);
        json_build_real(facts, "scale", weight->format.scale);
        add_decibels(&weight->loss, facts);
    }
    json_build_close(facts);
}

static void build_facts(const struct instance *instance, const struct quantisation *quantisation,
                        struct json_tree *facts)
{
    double ratio = quantisation->bytes_after
                       ? (double)quantisation->bytes_before / (double)quantisation->bytes_after
                       : 1;
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "name", instance->name);
    json_build_count(facts, "bits", quantisation->bits);
    json_build_count(facts, "weights", quantisation->weights);
    json_build_count(facts, "quantised", quantisation->quantised);
    json_build_count(facts, "bytes_before", quantisation->bytes_before);
    json_build_count(facts, "bytes_after", quantisation->bytes_after);
    json_build_real(facts, "ratio", ratio);
    add_decibels(&quantisation->loss, facts);
    json_build_open(facts, "tensors", JSON_ARRAY);
    for (uint32_t w = 0; w < quantisation->weights; w++)
        add_weight(instance->graph, quantisation, w, facts);
    json_build_close(facts);
    json_build_close(facts);
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
    struct json_tree facts = {0};
    build_facts(instance, quantisation, &facts);
    enum status status =
        arguments->json ? json_print(&facts, error) : json_print_lines(&facts, error);
    if (!status && !arguments->json)
        print_weights(instance->graph, quantisation);
    json_tree_free(&facts);
    return status;
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

static enum status run_quantise_command(const struct arguments *arguments, struct error *error)
{
    struct instance *instance;
    if (arguments->output && !file_name_has_extension(arguments->output, ".json"))
        return error_set(error, STATUS_USAGE, "output '%s', expected FILE.json", arguments->output);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    enum status status = run_quantise(arguments, instance, error);
    instance_free(instance);
    return status;
}

const struct command command_quantise = {
    .name = "quantise",
    .summary = "weights of a graph as int8 or int4: bytes, and what that loses",
    .operands = "GRAPH",
    .least = 1,
    .most = 1,
    .options = OPTIONS(OPTION_BITS, OPTION_WEIGHTS, OPTION_SEED, OPTION_OUTPUT, OPTION_JSON,
                       OPTION_BIND, OPTION_ASSUME_DIM),
    .description = "The output is the graph with its quantised weights, .json. Weights that are "
                   "not floating point stay as they are.",
    .examples = "memplan quantise 'zoo/resnet18?dtype=float16'\n"
                "memplan quantise zoo/mobilenet_v1 --bits 4 --seed 7 -o mobilenet_int4.json",
    .run = run_quantise_command,
};
