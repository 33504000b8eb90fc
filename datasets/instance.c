/* For realpath. */
#define _XOPEN_SOURCE 700

#include "datasets/instance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/embedded.h"
#include "core/file.h"
#include "core/memory.h"
#include "datasets/csv/problem.h"
#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/executorch/executorch.h"
#include "datasets/generate/generate.h"
#include "datasets/hlo/hlo.h"
#include "datasets/json/document.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/openvino/openvino.h"
#include "datasets/perturb/perturb.h"
#include "datasets/pytorch/pytorch.h"
#include "datasets/ranges/ranges.h"
#include "datasets/side_by_side/side_by_side.h"
#include "datasets/tflite/tflite.h"
#include "datasets/zoo/zoo.h"
#include "planning/problem/copy.h"

extern const struct embedded_file datasets_builtin[];
extern const unsigned datasets_builtin_count;

/* What a file or a built-in instance holds: a graph or a problem. */
struct content {
    struct graph *graph;
    struct symbolic_sizes *sizes; /* of the graph's tensors, where options are ranges */
    struct problem *problem;
    struct carried carried; /* instead of the problem, of a file that carries a plan */
};

enum status instance_create(const char *name, struct graph *graph, struct problem *problem,
                            struct instance **created, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(text_free) struct text text = {0};
    enum status status = memory_create(&instance, 1, sizeof *instance, error);
    if (status) {
        graph_free(graph);
        problem_free(problem);
        return status;
    }
    instance->graph = graph;
    instance->problem = problem;
    instance->name = memory_copy_text(name);
    instance->path = memory_copy_text(name);
    if (!instance->name || !instance->path)
        return error_no_memory(error);
    if (graph) {
        TRY(graph_json_write_content(graph, &text, error));
        digest_bytes(text.bytes, text.length, instance->digest);
    } else {
        TRY(problem_json_digest(problem, instance->digest, error));
    }
    HAND_OVER(instance, created);
}

void instance_free(struct instance *instance)
{
    if (!instance)
        return;
    memory_free_all(instance->name, instance->path);
    graph_free(instance->graph);
    problem_free(instance->problem);
    sizes_free(instance->tensor_sizes);
    memory_free_all(instance->carried_offset, instance);
}

const struct symbolic_sizes *instance_sizes(const struct instance *instance)
{
    return instance->problem ? instance->problem->sizes : instance->tensor_sizes;
}

/* A problem whose buffers have the sizes at a point. */
static enum status copy_at(const struct problem *problem, const uint64_t *point,
                           struct problem **created, struct error *error)
{
    SCOPED(memory_release) uint32_t *all = NULL;
    SCOPED(problem_release) struct problem *copy = NULL;
    TRY(memory_create(&all, problem->buffers, sizeof *all, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        all[b] = b;
    TRY(problem_copy_part(problem, names_get(&problem->name, 0), all, problem->buffers, &copy,
                          error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t size;
        if (!sizes_value(problem->sizes, b, point, &size) || !size)
            return error_set(error, STATUS_USAGE,
                             "the size of buffer '%s' is below 1 or above 2^63 - 1 bytes there",
                             names_get(&problem->names, b));
        problem_resize(copy, b, size);
    }
    TRY(problem_finish(copy, error));
    HAND_OVER(copy, created);
}

enum status instance_create_at(const struct instance *family, const uint64_t *point,
                               struct instance **instance, struct error *error)
{
    struct problem *problem = NULL;
    assert(instance_sizes(family));
    if (!family->problem) {
        SCOPED(text_free) struct text name = {0};
        const char *options = strrchr(family->path, '?') + 1;
        const struct instance_options file = {.model = family->model};
        text_append_bytes(&name, family->path, (size_t)(options - family->path));
        ranges_write_point(options, family->tensor_sizes, point, &name);
        TRY(text_check(&name, error));
        return instance_load(name.bytes, &file, instance, error);
    }
    TRY(copy_at(family->problem, point, &problem, error));
    return instance_create(family->name, NULL, problem, instance, error);
}

/* A file that is read, and what follows its name behind a ?, or NULL. */
struct source {
    const char *path, *part;
    struct text text;
    bool is_mapped; /* the text is the file itself, and no zero stands behind it */
};

static enum status refuse_part(const struct source *source, struct error *error)
{
    if (!source->part)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "found '?%s' behind '%s', expected nothing there",
                     source->part, source->path);
}

static enum status read_json(const struct source *source, const struct instance_options *options,
                             struct content *content, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct carried_choice choice;
    TRY(json_document_read(&source->text, source->path, &document, error));
    const char *format = json_document_format(document);
    if (!format && cuda_snapshot_is(document)) {
        TRY(carried_choose(source->part, &choice, error));
        return cuda_snapshot_read(document, &choice, &content->carried, error);
    }
    TRY(refuse_part(source, error));
    if (!format && pytorch_is_program(document))
        return pytorch_read_program(document, &options->model, &content->graph, error);
    if (format && strcmp(format, GRAPH_JSON_FORMAT) == 0)
        return graph_json_read_document(document, &content->graph, error);
    if (format && strcmp(format, PROBLEM_JSON_FORMAT) == 0)
        return problem_json_read_document(document, options->ignore_offsets, &content->problem,
                                          error);
    return json_document_fail(&(struct json_reader){document, error}, document->root,
                              "found \"format\" %s, expected \"%s\" or \"%s\"",
                              format ? format : "missing", GRAPH_JSON_FORMAT, PROBLEM_JSON_FORMAT);
}

static enum status read_csv(const struct source *source, const struct instance_options *options,
                            struct content *content, struct error *error)
{
    const struct problem_csv_options csv = {.ignore_offsets = options->ignore_offsets,
                                            .dialect = options->dialect,
                                            .lifetimes = options->lifetimes};
    return problem_csv_read(&source->text, source->path, &csv, &content->problem, error);
}

/* A model that is read at the points of its ranges. */
struct ranged_model {
    const struct source *source;
    const struct instance_options *options;
};

/* Lets *bound have these values of named dimensions, which are in *point. */
static enum status bind_point(const struct ranged_model *model, const char *values,
                              struct symbolic_sizes **point, struct model_options *bound,
                              struct error *error)
{
    *bound = model->options->model;
    TRY(sizes_create(point, error));
    TRY(ranges_read(values, NULL, *point, error));
    bound->dimension = &(*point)->parameter;
    bound->value = (*point)->least;
    return STATUS_OK;
}

static enum status build_onnx(const void *context, const char *values, struct graph **graph,
                              struct error *error)
{
    const struct ranged_model *model = context;
    struct model_options bound;
    SCOPED(sizes_release) struct symbolic_sizes *point = NULL;
    TRY(bind_point(model, values, &point, &bound, error));
    return onnx_read(&model->source->text, model->source->path, &bound, graph, error);
}

static enum status build_pytorch(const void *context, const char *values, struct graph **graph,
                                 struct error *error)
{
    const struct ranged_model *model = context;
    struct model_options bound;
    SCOPED(sizes_release) struct symbolic_sizes *point = NULL;
    TRY(bind_point(model, values, &point, &bound, error));
    return pytorch_read_archive(&model->source->text, model->source->path, NULL, &bound, graph,
                                error);
}

/* Reads the model with this batch, whatever its parameter is called. */
static enum status build_tflite(const void *context, const char *values, struct graph **graph,
                                struct error *error)
{
    const struct ranged_model *model = context;
    SCOPED(sizes_release) struct symbolic_sizes *point = NULL;
    TRY(sizes_create(&point, error));
    TRY(ranges_read(values, NULL, point, error));
    if (point->parameter.count > 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "found %u parameters, expected one, the batch of a TFLite model",
                         point->parameter.count);
    return tflite_read(&model->source->text, model->source->path,
                       point->parameter.count ? point->least[0] : 0, graph, error);
}

/* Reads a model with the values, or for the ranges, that follow its name. */
static enum status read_model(const struct source *source, const struct instance_options *options,
                              enum status (*build)(const void *context, const char *values,
                                                   struct graph **graph, struct error *error),
                              struct content *content, struct error *error)
{
    const struct ranged_model model = {source, options};
    const struct ranges_source ranges = {
        .name = source->path, .options = source->part, .build = build, .context = &model};
    if (ranges_are_in(source->part))
        return ranges_build(&ranges, &content->graph, &content->sizes, error);
    return build(&model, source->part ? source->part : "", &content->graph, error);
}

static enum status read_tflite(const struct source *source, const struct instance_options *options,
                               struct content *content, struct error *error)
{
    return read_model(source, options, build_tflite, content, error);
}

static enum status read_onnx(const struct source *source, const struct instance_options *options,
                             struct content *content, struct error *error)
{
    return read_model(source, options, build_onnx, content, error);
}

static enum status read_openvino(const struct source *source,
                                 const struct instance_options *options, struct content *content,
                                 struct error *error)
{
    return openvino_read(&source->text, source->path, &options->model, &content->graph, error);
}

static enum status read_executorch(const struct source *source,
                                   const struct instance_options *options, struct content *content,
                                   struct error *error)
{
    struct carried_choice choice;
    (void)options;
    TRY(carried_choose(source->part, &choice, error));
    return executorch_read(&source->text, source->path, &choice, &content->carried, error);
}

static enum status read_hlo(const struct source *source, const struct instance_options *options,
                            struct content *content, struct error *error)
{
    struct carried_choice choice;
    (void)options;
    TRY(carried_choose(source->part, &choice, error));
    return hlo_read(&source->text, source->path, &choice, &content->carried, error);
}

static enum status read_pytorch(const struct source *source, const struct instance_options *options,
                                struct content *content, struct error *error)
{
    static const char model[] = "model=";
    const char *part = source->part;
    if (!part || strncmp(part, model, strlen(model)) != 0)
        return read_model(source, options, build_pytorch, content, error);
    return pytorch_read_archive(&source->text, source->path, part + strlen(model), &options->model,
                                &content->graph, error);
}

/* The formats of files; a new one is a row and its reader. */
static const struct format {
    const char *extension;
    bool (*recognises)(const struct text *text); /* by content; NULL: by extension alone */
    bool has_parts;                              /* a choice may follow the name of the file */
    bool is_mapped; /* the reader looks at parts of the file, which may hold weights */
    enum status (*read)(const struct source *source, const struct instance_options *options,
                        struct content *content, struct error *error);
} formats[] = {
    {"json", NULL, true, false, read_json},
    {"csv", NULL, false, false, read_csv},
    {"tflite", NULL, true, true, read_tflite},
    {"onnx", NULL, true, true, read_onnx},
    {"ort", onnx_is_ort, true, true, read_onnx},
    {"xml", openvino_is_network, false, true, read_openvino},
    {"pte", executorch_is_program, true, true, read_executorch},
    {"pt2", pytorch_is_archive, true, true, read_pytorch},
    {"pb", hlo_is_module, true, true, read_hlo},
};
#define FILES ".json, .csv, .tflite, .onnx, .ort, .xml, .pte, .pt2, .pb"
enum { FORMATS = sizeof formats / sizeof *formats };

/* Splits MODEL.pte?part. *path is for memory_free; *part is in `name`, or NULL. */
static enum status split_name(const char *name, char **path, const char **part, struct error *error)
{
    const char *mark = strrchr(name, '?');
    struct stat found;
    *part = mark && stat(name, &found) != 0 ? mark + 1 : NULL;
    *path = memory_copy_text(name);
    if (!*path)
        return error_no_memory(error);
    if (*part)
        (*path)[mark - name] = 0;
    return STATUS_OK;
}

/* An absolute path, so that files of one name can be told apart wherever the program was started,
   and the part behind it. It stays as it is if the file can no longer be found. */
static enum status name_source(struct instance *instance, const struct source *source,
                               struct error *error)
{
    SCOPED(text_free) struct text path = {0};
    char *absolute = realpath(source->path, NULL);
    text_append(&path, "%s", absolute ? absolute : source->path);
    free(absolute);
    if (source->part)
        text_append(&path, "?%s", source->part);
    TRY(text_check(&path, error));
    memory_free(instance->path);
    instance->path = memory_copy_text(path.bytes);
    return instance->path ? STATUS_OK : error_no_memory(error);
}

static enum status load_source(const struct format *format, const struct source *source,
                               const char *name, const struct instance_options *options,
                               struct instance **loaded, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    struct content content = {0};
    enum status status = format->read(source, options, &content, error);
    if (!status && content.carried.problem) {
        status = instance_create(name, NULL, content.carried.problem, &instance, error);
        content.carried.problem = NULL;
    } else if (!status) {
        status = instance_create(name, content.graph, content.problem, &instance, error);
    }
    if (!status) {
        instance->tensor_sizes = content.sizes;
        instance->model = options->model;
        content.sizes = NULL;
        instance->carried_offset = content.carried.offset;
        instance->carried_bytes = content.carried.arena_bytes;
        content.carried.offset = NULL;
    }
    carried_clear(&content.carried);
    sizes_free(content.sizes);
    TRY(status);
    HAND_OVER(instance, loaded);
}

static void free_source(struct source *source)
{
    if (source->is_mapped)
        file_unmap(source->text.bytes, source->text.length);
    else
        text_free(&source->text);
}

static enum status open_source(struct source *source, bool may_map, struct error *error)
{
    const char *bytes;
    size_t length;
    source->is_mapped = may_map && file_map(source->path, &bytes, &length);
    if (!source->is_mapped)
        return text_read_file(source->path, &source->text, error);
    source->text = (struct text){.bytes = (char *)bytes, .length = length};
    return STATUS_OK;
}

/* Loads a file by its extension or, where that says nothing, by what is in it. *loaded stays NULL
   for a file of no format, or for no file. */
static enum status load_file(const char *name_or_path, const struct instance_options *options,
                             struct instance **loaded, struct error *error)
{
    SCOPED(memory_release) char *path = NULL;
    SCOPED(memory_release) char *name = NULL;
    SCOPED(free_source) struct source source = {0};
    SCOPED(instance_release) struct instance *instance = NULL;
    const struct format *format = NULL;
    struct stat found;
    *loaded = NULL;
    TRY(split_name(name_or_path, &path, &source.part, error));
    source.path = path;
    for (int f = 0; f < FORMATS; f++)
        if (strcmp(formats[f].extension, file_name_extension(path)) == 0)
            format = &formats[f];
    if (!format && (stat(path, &found) != 0 || !S_ISREG(found.st_mode)))
        return STATUS_OK;
    TRY(open_source(&source, !format || format->is_mapped, error));
    for (int f = 0; f < FORMATS && !format; f++)
        if (formats[f].recognises && formats[f].recognises(&source.text))
            format = &formats[f];
    if (!format)
        return STATUS_OK;
    if (!format->has_parts)
        TRY(refuse_part(&source, error));
    name = file_name_stem(path);
    if (!name)
        return error_no_memory(error);
    TRY(load_source(format, &source, name, options, &instance, error));
    TRY(name_source(instance, &source, error));
    *loaded = instance;
    instance = NULL;
    return STATUS_OK;
}

/* A file that is compiled in, of the format that its extension says. */
static enum status load_embedded(const char *name, const struct instance_options *options,
                                 struct instance **instance, struct error *error)
{
    SCOPED(free_source) struct source source = {0};
    const struct embedded_file *file = NULL;
    for (int f = 0; f < FORMATS && !file; f++) {
        char extension[16];
        snprintf(extension, sizeof extension, ".%s", formats[f].extension);
        file = embedded_find(datasets_builtin, datasets_builtin_count, "builtin/", name, extension);
        if (!file)
            continue;
        source.path = file->name;
        text_append_bytes(&source.text, file->bytes, file->length);
        TRY(text_check(&source.text, error));
        return load_source(&formats[f], &source, name, options, instance, error);
    }
    return error_set(error, STATUS_INTERNAL, "'%s' is listed but not part of this build", name);
}

/* A network of the zoo that is built at the points of its ranges. */
struct ranged_network {
    const struct zoo_network *zoo;
    const char *name;
};

static enum status build_network(const void *context, const char *options, struct graph **graph,
                                 struct error *error)
{
    const struct ranged_network *ranged = context;
    struct network_options network = NETWORK_DEFAULTS;
    if (options)
        TRY(zoo_read_options(ranged->zoo, options, &network, error));
    return zoo_build(ranged->zoo, ranged->name, &network, graph, error);
}

static enum status build_ranges(const struct zoo_network *zoo, const char *name,
                                const char *options, struct content *content, struct error *error)
{
    static const char *const allowed[] = {"batch", "sequence", "image", NULL};
    const struct ranged_network network = {zoo, name};
    const struct ranges_source ranges = {.name = zoo->name,
                                         .options = options,
                                         .allowed = allowed,
                                         .build = build_network,
                                         .context = &network};
    return ranges_build(&ranges, &content->graph, &content->sizes, error);
}

/* Loads a built-in instance; for a network of the zoo, options may follow its name after a ?. */
static enum status load_builtin(const struct instance_source *source, const char *name,
                                const struct instance_options *options, struct instance **instance,
                                struct error *error)
{
    const char *suffix = strchr(name, '?');
    struct content content = {0};
    if (source->zoo && ranges_are_in(suffix)) {
        TRY(build_ranges(source->zoo, name, suffix + 1, &content, error));
    } else if (source->zoo) {
        TRY(build_network(&(struct ranged_network){source->zoo, name}, suffix ? suffix + 1 : NULL,
                          &content.graph, error));
    } else if (suffix) {
        return error_set(error, STATUS_USAGE, "%s has no options, only networks of the zoo do",
                         source->row.name);
    }
    enum status status = source->zoo ? instance_create(name, content.graph, NULL, instance, error)
                                     : load_embedded(name, options, instance, error);
    if (status) {
        sizes_free(content.sizes);
        return status;
    }
    (*instance)->is_reconstruction = source->row.is_reconstruction;
    if (source->zoo)
        (*instance)->tensor_sizes = content.sizes;
    return STATUS_OK;
}

static enum status load_generated(const char *name, struct instance **instance, struct error *error)
{
    const struct generate_kind *kind;
    struct generate_settings settings;
    struct generated made = {.witness = NULL};
    TRY(generate_parse_name(name, &kind, &settings, error));
    TRY(generate_create(kind, &settings, name, &made, error));
    return instance_create(name, made.graph, made.problem, instance, error);
}

static enum status load_perturbed(const char *name, const struct instance_options *options,
                                  struct instance **instance, struct error *error)
{
    SCOPED(perturb_free) struct perturbation perturbation = {.rule = NULL};
    SCOPED(instance_release) struct instance *first = NULL;
    SCOPED(instance_release) struct instance *second = NULL;
    struct instance **const operand[2] = {&first, &second};
    const struct problem *source[2] = {NULL, NULL};
    struct problem *problem = NULL;
    TRY(perturb_parse_name(name, &perturbation, error));
    const char *const names[2] = {perturbation.first, perturbation.second};
    for (int i = 0; i < 2 && names[i]; i++) {
        TRY(instance_load(names[i], options, operand[i], error));
        source[i] = (*operand[i])->problem;
        if (!source[i])
            return error_set(error, STATUS_USAGE,
                             "'%s' is a graph, expected a problem to be perturbed", names[i]);
    }
    TRY(perturb_create(&perturbation, name, source, &problem, error));
    return instance_create(name, NULL, problem, instance, error);
}

/* Loads a graph and puts it on several streams. Its digest, made before that, is made again. */
static enum status load_side_by_side(const char *name, const struct instance_options *options,
                                     struct instance **instance, struct error *error)
{
    struct side_by_side side_by_side;
    SCOPED(instance_release) struct instance *source = NULL;
    TRY(side_by_side_parse(name, &side_by_side, error));
    TRY(instance_load(side_by_side.name, options, &source, error));
    if (!source->graph)
        return error_set(error, STATUS_USAGE,
                         "'%s' is a problem, expected a graph to be put on streams",
                         side_by_side.name);
    TRY(side_by_side_apply(&side_by_side, &source->graph, error));
    struct graph *graph = source->graph;
    source->graph = NULL;
    TRY(instance_create(name, graph, NULL, instance, error));
    (*instance)->is_reconstruction = source->is_reconstruction;
    return STATUS_OK;
}

static enum status fail_unknown(const char *name, struct error *error)
{
    SCOPED(text_free) struct text near = {0};
    struct stat found;
    bool is_there = stat(name, &found) == 0;
    if (is_there && S_ISDIR(found.st_mode))
        return error_set_at(error, STATUS_BAD_INPUT, name, 0,
                            "found a folder, expected a file (" FILES ")");
    if (is_there)
        return error_set_at(error, STATUS_BAD_INPUT, name, 0,
                            "found a file with the extension '%s', expected one of " FILES,
                            file_name_extension(name));
    instance_source_suggest(name, &near);
    if (near.length)
        return error_set(error, STATUS_USAGE, "no instance '%s', did you mean %s?", name,
                         near.bytes);
    return error_set(error, STATUS_USAGE,
                     "no instance '%s', expected a file (" FILES ") or one of "
                     "'memplan list instances'",
                     name);
}

enum status instance_load(const char *name_or_path, const struct instance_options *options,
                          struct instance **instance, struct error *error)
{
    static const struct instance_options defaults = {0};
    struct instance_source source;
    if (!options)
        options = &defaults;
    if (generate_is_name(name_or_path))
        return load_generated(name_or_path, instance, error);
    if (perturb_is_name(name_or_path))
        return load_perturbed(name_or_path, options, instance, error);
    if (side_by_side_is_name(name_or_path))
        return load_side_by_side(name_or_path, options, instance, error);
    if (instance_source_find(name_or_path, strcspn(name_or_path, "?"), &source))
        return load_builtin(&source, name_or_path, options, instance, error);
    TRY(load_file(name_or_path, options, instance, error));
    return *instance ? STATUS_OK : fail_unknown(name_or_path, error);
}
