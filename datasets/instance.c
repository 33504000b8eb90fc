/* For realpath. */
#define _XOPEN_SOURCE 700

#include "datasets/instance.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/embedded.h"
#include "core/file.h"
#include "core/memory.h"
#include "datasets/csv/problem.h"
#include "datasets/generate/generate.h"
#include "datasets/instance_table.h"
#include "datasets/json/document.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/perturb/perturb.h"
#include "datasets/side_by_side/side_by_side.h"
#include "datasets/tflite/tflite.h"
#include "datasets/zoo/ranges.h"
#include "planning/problem/copy.h"

extern const struct embedded_file datasets_builtin[];
extern const unsigned datasets_builtin_count;

/* What a file or a built-in instance holds: a graph or a problem. */
struct content {
    struct graph *graph;
    struct problem *problem;
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
    *created = instance;
    instance = NULL;
    return STATUS_OK;
}

void instance_free(struct instance *instance)
{
    if (!instance)
        return;
    memory_free(instance->name);
    memory_free(instance->path);
    graph_free(instance->graph);
    problem_free(instance->problem);
    sizes_free(instance->tensor_sizes);
    memory_free(instance);
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
    *created = copy;
    copy = NULL;
    return STATUS_OK;
}

enum status instance_create_at(const struct instance *family, const uint64_t *point,
                               struct instance **instance, struct error *error)
{
    struct problem *problem = NULL;
    assert(instance_sizes(family));
    if (!family->problem) {
        SCOPED(text_free) struct text name = {0};
        const char *options = strchr(family->path, '?') + 1;
        text_append_bytes(&name, family->path, (size_t)(options - family->path));
        zoo_write_point(options, family->tensor_sizes, point, &name);
        TRY(text_check(&name, error));
        return instance_load(name.bytes, NULL, instance, error);
    }
    TRY(copy_at(family->problem, point, &problem, error));
    return instance_create(family->name, NULL, problem, instance, error);
}

static enum status read_json(const struct text *text, const char *file,
                             const struct instance_options *options, struct content *content,
                             struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, file, &document, error));
    const char *format = json_document_format(document);
    if (format && strcmp(format, GRAPH_JSON_FORMAT) == 0)
        return graph_json_read_document(document, &content->graph, error);
    if (format && strcmp(format, PROBLEM_JSON_FORMAT) == 0)
        return problem_json_read_document(document, options->ignore_offsets, &content->problem,
                                          error);
    return json_document_fail(&(struct json_reader){document, error}, document->root,
                              "found \"format\" %s, expected \"%s\" or \"%s\"",
                              format ? format : "missing", GRAPH_JSON_FORMAT, PROBLEM_JSON_FORMAT);
}

/* The extensions of files; a new kind is one more, and a case in read_content. */
static const char *const extensions[] = {"json", "csv", "tflite", "onnx"};
enum { JSON, CSV, TFLITE, ONNX, EXTENSIONS };

static enum status read_content(int kind, const struct text *text, const char *file,
                                const struct instance_options *options, struct content *content,
                                struct error *error)
{
    const struct problem_csv_options csv = {.ignore_offsets = options->ignore_offsets,
                                            .dialect = options->dialect,
                                            .lifetimes = options->lifetimes};
    switch (kind) {
    case CSV:
        return problem_csv_read(text, file, &csv, &content->problem, error);
    case TFLITE:
        return tflite_read(text, file, &content->graph, error);
    case ONNX:
        return onnx_read(text, file, &options->onnx, &content->graph, error);
    default:
        return read_json(text, file, options, content, error);
    }
}

static enum status load_file(const char *path, int kind, const struct instance_options *options,
                             struct instance **loaded, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(memory_release) char *name = file_name_stem(path);
    SCOPED(instance_release) struct instance *instance = NULL;
    struct content content = {0};
    if (!name)
        return error_no_memory(error);
    TRY(text_read_file(path, &text, error));
    TRY(read_content(kind, &text, path, options, &content, error));
    TRY(instance_create(name, content.graph, content.problem, &instance, error));
    /* An absolute path, so that files of one name can be told apart wherever the program was
       started. It stays as it is if the file can no longer be found. */
    char *absolute = realpath(path, NULL);
    memory_free(instance->path);
    instance->path = memory_copy_text(absolute ? absolute : path);
    free(absolute);
    if (!instance->path)
        return error_no_memory(error);
    *loaded = instance;
    instance = NULL;
    return STATUS_OK;
}

/* Loads a built-in instance; for a network of the zoo, options may follow its name after a ?. */
static enum status load_builtin(const struct instance_source *source, const char *name,
                                const struct instance_options *options, struct instance **instance,
                                struct error *error)
{
    struct network_options network = NETWORK_DEFAULTS;
    SCOPED(text_free) struct text text = {0};
    const char *suffix = strchr(name, '?');
    struct content content = {0};
    SCOPED(sizes_release) struct symbolic_sizes *sizes = NULL;
    if (source->zoo && suffix && zoo_has_range(suffix)) {
        TRY(zoo_build_ranges(source->zoo, name, suffix + 1, &content.graph, &sizes, error));
    } else if (source->zoo) {
        if (suffix)
            TRY(zoo_read_options(source->zoo, suffix + 1, &network, error));
        TRY(zoo_build(source->zoo, name, &network, &content.graph, error));
    } else if (suffix) {
        return error_set(error, STATUS_USAGE, "%s has no options, only networks of the zoo do",
                         source->row.name);
    } else {
        const struct embedded_file *file =
            embedded_find(datasets_builtin, datasets_builtin_count, "builtin/", name, ".json");
        if (!file)
            return error_set(error, STATUS_INTERNAL, "'%s' is listed but not part of this build",
                             name);
        text_append_bytes(&text, file->bytes, file->length);
        TRY(text_check(&text, error));
        TRY(read_json(&text, file->name, options, &content, error));
    }
    TRY(instance_create(name, content.graph, content.problem, instance, error));
    (*instance)->is_reconstruction = source->row.is_reconstruction;
    (*instance)->tensor_sizes = sizes;
    sizes = NULL;
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
                            "found a folder, expected a file (.json, .csv, .onnx, .tflite)");
    if (is_there)
        return error_set_at(
            error, STATUS_BAD_INPUT, name, 0,
            "found a file with the extension '%s', expected json, csv, onnx or tflite",
            file_name_extension(name));
    instance_source_suggest(name, &near);
    if (near.length)
        return error_set(error, STATUS_USAGE, "no instance '%s', did you mean %s?", name,
                         near.bytes);
    return error_set(error, STATUS_USAGE,
                     "no instance '%s', expected a file (.json, .csv, .onnx, .tflite) or one of "
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
    for (int kind = 0; kind < EXTENSIONS; kind++)
        if (strcmp(extensions[kind], file_name_extension(name_or_path)) == 0)
            return load_file(name_or_path, kind, options, instance, error);
    return fail_unknown(name_or_path, error);
}
