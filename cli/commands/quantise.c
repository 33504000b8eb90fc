/* The command quantise: weights of a graph as int8 or int4, and the accuracy that they lose. */
#include <math.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/text.h"
#include "datasets/memplan_json/graph.h"
#include "harness/files/quantised_file.h"
#include "planning/graph/dtype.h"
#include "quantise/quantise.h"
#include "quantise/values.h"

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

/* What was written to a file of values and read back from it. */
struct written {
    uint64_t archive_bytes; /* 0 where nothing was written */
    struct values_error error;
};

static void build_facts(const struct instance *instance, const struct quantisation *quantisation,
                        const struct written *written, struct json_tree *facts)
{
    double ratio = quantisation->bytes_after
                       ? (double)quantisation->bytes_before / (double)quantisation->bytes_after
                       : 1;
    json_open_facts(facts, "quantise");
    json_build_text(facts, "name", instance->name);
    json_build_count(facts, "bits", quantisation->bits);
    json_build_count(facts, "weights", quantisation->weights);
    json_build_count(facts, "quantised", quantisation->quantised);
    json_build_count(facts, "bytes_before", quantisation->bytes_before);
    json_build_count(facts, "bytes_after", quantisation->bytes_after);
    json_build_real(facts, "ratio", ratio);
    add_decibels(&quantisation->loss, facts);
    if (written->archive_bytes) {
        json_build_count(facts, "archive_bytes", written->archive_bytes);
        json_build_count(facts, "values_read_back", written->error.compared);
        json_build_real(facts, "worst_error_steps", written->error.worst_steps);
    }
    json_build_open(facts, "tensors", JSON_ARRAY);
    for (uint32_t w = 0; w < quantisation->weights; w++)
        add_weight(instance->graph, quantisation, w, facts);
    json_build_close(facts);
    json_build_close(facts);
}

static enum status print_weights(const struct graph *graph, const struct quantisation *quantisation,
                                 struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Weights");
    table_add_columns(&table, "weight | before (bytes): | after (bytes): | position: | scale: | "
                              "loss (dB):");
    for (uint32_t w = 0; w < quantisation->weights; w++) {
        const struct quantised_weight *weight = &quantisation->weight[w];
        double decibels = quantise_decibels(&weight->loss);
        table_add(&table, cell_text(graph_label(graph, graph->weight[w].name)),
                  cell_number(weight->bytes_before), cell_number(weight->bytes_after));
        if (weight->quantised)
            table_add(&table, cell_words("%d", weight->format.position),
                      cell_real(weight->format.scale, 6),
                      isfinite(decibels) ? cell_real(decibels, 2) : cell_text("inf"));
        else
            table_repeat(&table, 3, cell_missing());
    }
    return print_table(&table, NULL, NULL, error);
}

/* Writes the values to a file, and compares those in it with the ones of which it was made. */
static enum status write_values(const struct arguments *arguments, struct weight_source *source,
                                const struct quantisation *quantisation, struct written *written,
                                struct error *error)
{
    SCOPED(quantised_file_clear) struct quantised_file file = {0};
    const char *path = arguments->output;
    *written = (struct written){0};
    if (!path || !file_name_has_extension(path, ".mpa"))
        return STATUS_OK;
    TRY(quantised_file_write(path, source, quantisation, &written->archive_bytes, error));
    TRY(quantised_file_read(path, source->graph, &file, error));
    TRY(values_compare(source, file.quantisation, &file.values, &written->error, error));
    if (written->error.worst_steps <= 0.5 + 1e-9)
        return STATUS_OK;
    return error_set_at(error, STATUS_INTERNAL, path, 0,
                        "a value is %f steps from the one it was made of, expected at most 0.5",
                        written->error.worst_steps);
}

static enum status run_quantise(const struct arguments *arguments, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    const char *path = arguments->output;
    if (path && !file_name_has_extension(path, ".json") && !file_name_has_extension(path, ".mpa"))
        return error_set(error, STATUS_USAGE, "output '%s', expected FILE.json or FILE.mpa", path);
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    if (!instance->graph)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, expected a graph with weights",
                         instance->name);
    SCOPED(weight_source_close)
    struct weight_source source = weight_source_draw(instance->graph, arguments->seed);
    SCOPED(quantise_release) struct quantisation *quantisation = NULL;
    SCOPED(json_tree_free) struct json_tree facts = {0};
    SCOPED(text_free) struct text text = {0};
    struct written written;
    uint32_t bits = (uint32_t)arguments->bits;
    if (arguments->weights)
        TRY(weight_source_open(instance->graph, arguments->weights, &source, error));
    TRY(quantise_graph(&source, &bits, 1, &quantisation, error));
    TRY(write_values(arguments, &source, quantisation, &written, error));
    build_facts(instance, quantisation, &written, &facts);
    TRY(arguments->json ? json_print(&facts, error) : json_print_lines(&facts, error));
    if (!arguments->json) {
        print_lines("\n");
        TRY(print_weights(instance->graph, quantisation, error));
    }
    if (!path || !file_name_has_extension(path, ".json"))
        return STATUS_OK;
    quantise_apply(quantisation, instance->graph);
    TRY(graph_json_write(instance->graph, &text, error));
    return text_write_file(path, &text, error);
}

const struct command command_quantise = {
    .name = "quantise",
    .summary = "weights of a graph as int8 or int4: bytes, and what that loses",
    .operands = "GRAPH",
    .kind = "instances",
    .least = 1,
    .most = 1,
    .options = OPTIONS(OPTION_BITS, OPTION_WEIGHTS, OPTION_SEED, OPTION_OUTPUT, OPTION_FACTS,
                       OPTION_BIND, OPTION_ASSUME_DIM),
    .description =
        "The output is the graph with the types and sizes of its quantised weights, .json, or "
        "the quantised values with position and scale of each weight, .mpa, which is read "
        "back and compared value by value. Weights that are not floating point stay as "
        "they are, and have no values there.",
    .examples = "memplan quantise 'zoo/resnet18?dtype=float16'\n"
                "memplan quantise zoo/mobilenet_v1 --bits 4 --seed 7 -o mobilenet_int4.json\n"
                "memplan quantise zoo/squeezenet -o squeezenet_int8.mpa",
    .run = run_quantise,
};
