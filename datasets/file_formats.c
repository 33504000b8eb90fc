#include "datasets/file_formats.h"

#include <ctype.h>
#include <string.h>

#include "core/file.h"
#include "datasets/csv/problem.h"
#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/executorch/executorch.h"
#include "datasets/hlo/hlo.h"
#include "datasets/json/document.h"
#include "datasets/memories/memory_file.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/openvino/openvino.h"
#include "datasets/pytorch/pytorch.h"
#include "datasets/ranges/ranges.h"
#include "datasets/tflite/tflite.h"

enum status file_source_refuse_part(const struct file_source *source, struct error *error)
{
    if (!source->part)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "found '?%s' behind '%s', expected nothing there",
                     source->part, source->path);
}

/* Whether the keys at the beginning of a text are those of PyTorch's files,
   which have no format. */
static bool is_of_pytorch(const struct text *text)
{
    static const char *const keys[] = {"\"graph_module\"", "\"segments\"", "\"device_traces\""};
    enum { LOOKED_AT = 4096 };
    char head[LOOKED_AT + 1] = "";
    bool found = false;
    if (text->length)
        memcpy(head, text->bytes, text->length < LOOKED_AT ? text->length : LOOKED_AT);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        found |= strstr(head, keys[i]) != NULL;
    return found && !strstr(head, "\"format\"");
}

static enum status read_json(const struct file_source *source,
                             const struct instance_options *options, struct file_content *content,
                             struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct carried_choice choice;
    TRY(is_of_pytorch(&source->text)
            ? json_document_read_sparing(&source->text, source->path, &pytorch_spare, &document,
                                         error)
            : json_document_read(&source->text, source->path, &document, error));
    const char *format = json_document_format(document);
    if (!format && cuda_snapshot_is(document)) {
        TRY(carried_choose(source->part, &choice, error));
        return cuda_snapshot_read(document, &choice, &content->carried, error);
    }
    TRY(file_source_refuse_part(source, error));
    if (!format && pytorch_is_program(document))
        return pytorch_read_program(document, &options->model, &content->graph, error);
    if (format && strcmp(format, GRAPH_JSON_FORMAT) == 0)
        return graph_json_read_document(document, &content->graph, error);
    if (format && strcmp(format, PROBLEM_JSON_FORMAT) == 0)
        return problem_json_read_document(document, options->offsets, &content->problem, error);
    const struct json_reader json = {document, error};
    if (memory_file_is(document))
        return json_document_fail(
            &json, document->root,
            "found a problem with several memories, which plan, verify, audit, "
            "bench and convert take, expected a graph or a problem of one arena");
    return json_document_fail(&json, document->root,
                              "found \"format\" %s, expected \"%s\" or \"%s\"",
                              format ? format : "missing", GRAPH_JSON_FORMAT, PROBLEM_JSON_FORMAT);
}

static enum status read_csv(const struct file_source *source,
                            const struct instance_options *options, struct file_content *content,
                            struct error *error)
{
    const struct problem_csv_options csv = {
        .offsets = options->offsets, .dialect = options->dialect, .lifetimes = options->lifetimes};
    return problem_csv_read(&source->text, source->path, &csv, &content->problem, error);
}

/* A model that is read at the points of its ranges, with values of its named dimensions. */
struct ranged_model {
    const struct file_source *source;
    const struct instance_options *options;
    enum status (*read)(const struct file_source *source, const struct model_options *options,
                        struct graph **graph, struct error *error);
};

static enum status build_model(const void *context, const char *values, struct graph **graph,
                               struct error *error)
{
    const struct ranged_model *model = context;
    struct model_options bound = model->options->model;
    SCOPED(sizes_release) struct symbolic_sizes *point = NULL;
    TRY(sizes_create(&point, error));
    TRY(ranges_read(values, NULL, point, error));
    bound.dimension = &point->parameter;
    bound.value = point->least;
    return model->read(model->source, &bound, graph, error);
}

/* Reads a model with the values, or for the ranges, that follow its name. */
static enum status read_model(const struct ranged_model *model, struct file_content *content,
                              struct error *error)
{
    const struct file_source *source = model->source;
    const struct ranges_source ranges = {
        .name = source->path, .options = source->part, .build = build_model, .context = model};
    if (ranges_are_in(source->part))
        return ranges_build(&ranges, &content->graph, &content->sizes, error);
    return build_model(model, source->part ? source->part : "", &content->graph, error);
}

static enum status read_onnx_at(const struct file_source *source,
                                const struct model_options *options, struct graph **graph,
                                struct error *error)
{
    return onnx_read(&source->text, source->path, options, graph, error);
}

static enum status read_pytorch_at(const struct file_source *source,
                                   const struct model_options *options, struct graph **graph,
                                   struct error *error)
{
    return pytorch_read_archive(&source->text, source->path, NULL, options, graph, error);
}

/* Reads the model with this batch, whatever its parameter is called. */
static enum status read_tflite_at(const struct file_source *source,
                                  const struct model_options *options, struct graph **graph,
                                  struct error *error)
{
    uint32_t parameters = options->dimension->count;
    if (parameters > 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "found %u parameters, expected one, the batch of a TFLite model",
                         parameters);
    return tflite_read(&source->text, source->path, parameters ? options->value[0] : 0, graph,
                       error);
}

static enum status read_tflite(const struct file_source *source,
                               const struct instance_options *options, struct file_content *content,
                               struct error *error)
{
    return read_model(&(struct ranged_model){source, options, read_tflite_at}, content, error);
}

static enum status read_onnx(const struct file_source *source,
                             const struct instance_options *options, struct file_content *content,
                             struct error *error)
{
    return read_model(&(struct ranged_model){source, options, read_onnx_at}, content, error);
}

static enum status read_openvino(const struct file_source *source,
                                 const struct instance_options *options,
                                 struct file_content *content, struct error *error)
{
    return openvino_read(&source->text, source->path, &options->model, &content->graph, error);
}

static enum status read_executorch(const struct file_source *source,
                                   const struct instance_options *options,
                                   struct file_content *content, struct error *error)
{
    struct carried_choice choice;
    (void)options;
    TRY(carried_choose(source->part, &choice, error));
    return executorch_read(&source->text, source->path, &choice, &content->carried, error);
}

/* The plan that a module carries with its problem; its graph where it carries none, or where
   "graph" follows its name. */
static enum status read_hlo(const struct file_source *source,
                            const struct instance_options *options, struct file_content *content,
                            struct error *error)
{
    static const char graph[] = "graph";
    struct carried_choice choice;
    const char *part = source->part;
    size_t length = part ? strcspn(part, "&") : 0;
    bool is_graph = length == strlen(graph) && strncmp(part, graph, length) == 0;
    (void)options;
    if (is_graph)
        part += length + (part[length] == '&');
    TRY(carried_choose(part, &choice, error));
    if (!is_graph)
        TRY(hlo_read(&source->text, source->path, &choice, &content->carried, error));
    if (content->carried.problem)
        return STATUS_OK;
    return hlo_read_graph(&source->text, source->path,
                          choice.memory == CARRIED_ANY ? 0 : choice.memory, &content->graph, error);
}

static enum status read_pytorch(const struct file_source *source,
                                const struct instance_options *options,
                                struct file_content *content, struct error *error)
{
    static const char model[] = "model=";
    const char *part = source->part, *value = part ? strchr(part, '=') : NULL;
    if (!part || (value && isdigit((unsigned char)value[1])))
        return read_model(&(struct ranged_model){source, options, read_pytorch_at}, content, error);
    if (strncmp(part, model, strlen(model)) != 0)
        return error_set(error, STATUS_USAGE,
                         "found '%s' behind the name of a model, expected model=NAME, or sizes "
                         "such as s0=2..64",
                         part);
    return pytorch_read_archive(&source->text, source->path, part + strlen(model), &options->model,
                                &content->graph, error);
}

/* A new format is a row and its reader. */
static const struct file_format formats[] = {
    {"json", NULL, true, true, read_json},
    {"csv", NULL, false, false, read_csv},
    {"tflite", NULL, true, true, read_tflite},
    {"onnx", NULL, true, true, read_onnx},
    {"ort", onnx_is_ort, true, true, read_onnx},
    {"xml", openvino_is_network, false, true, read_openvino},
    {"pte", executorch_is_program, true, true, read_executorch},
    {"pt2", pytorch_is_archive, true, true, read_pytorch},
    {"pb", hlo_is_module, true, true, read_hlo},
};

/* Formats of frameworks that are not read, by extension or by bytes at a place in the file. */
static const struct foreign_format {
    const char *extension, *bytes;
    size_t at;
    const char *found, *expected;
} foreign_formats[] = {
    {"pickle", "\x80\x04\x95", 0, "a pickle of Python",
     "a snapshot of PyTorch's allocator as JSON, which examples/snapshot_to_json.py makes of it"},
    {"hlo", "HloModule ", 0, "HLO as text",
     "the compiled module with its buffer assignment (.hlo.pb), which XLA dumps with "
     "--xla_dump_hlo_as_proto"},
    {"ptd", "FT01", 4, "the constants of an ExecuTorch program", "the program (.pte)"},
    {"mlmodel", NULL, 0, "a Core ML model", "the model that it was converted from"},
};

enum status file_format_refuse_foreign(const struct file_source *source, struct error *error)
{
    for (size_t i = 0; i < sizeof foreign_formats / sizeof *foreign_formats; i++) {
        const struct foreign_format *row = &foreign_formats[i];
        size_t length = row->bytes ? strlen(row->bytes) : 0;
        if (strcmp(row->extension, file_name_extension(source->path)) == 0 ||
            (length && row->at + length <= source->text.length &&
             memcmp(source->text.bytes + row->at, row->bytes, length) == 0))
            return error_set_at(error, STATUS_BAD_INPUT, source->path, 0, "found %s, expected %s",
                                row->found, row->expected);
    }
    return STATUS_OK;
}

const struct file_format *file_format_at(uint32_t index)
{
    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}
