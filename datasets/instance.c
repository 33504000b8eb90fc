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
#include "datasets/file_formats.h"
#include "datasets/generate/generate.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/perturb/perturb.h"
#include "datasets/ranges/ranges.h"
#include "datasets/side_by_side/side_by_side.h"
#include "planning/problem/copy.h"

extern const struct embedded_file datasets_builtin[];
extern const unsigned datasets_builtin_count;

enum status instance_create(const char *name, struct graph *graph, struct problem *problem,
                            struct instance **created, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
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
    TRY(graph ? graph_json_digest(graph, instance->digest, error)
              : problem_json_digest(problem, instance->digest, error));
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
    TRY(problem_copy_at(family->problem, point, &problem, error));
    return instance_create(family->name, NULL, problem, instance, error);
}

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
static enum status name_source(struct instance *instance, const struct file_source *source,
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

static enum status load_source(const struct file_format *format, const struct file_source *source,
                               const char *name, const struct instance_options *options,
                               struct instance **loaded, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    struct file_content content = {0};
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

static void free_source(struct file_source *source)
{
    if (source->is_mapped)
        file_unmap(source->text.bytes, source->text.length);
    else
        text_free(&source->text);
}

static enum status open_source(struct file_source *source, bool may_map, struct error *error)
{
    const char *bytes;
    size_t length;
    source->is_mapped = may_map && file_map(source->path, &bytes, &length);
    if (!source->is_mapped)
        return text_read_file(source->path, &source->text, error);
    source->text = (struct text){.bytes = (char *)bytes, .length = length, .is_mapped = true};
    return STATUS_OK;
}

/* Loads a file by its extension or, where that says nothing, by what is in it. *loaded stays NULL
   for a file of no format, or for no file. */
static enum status load_file(const char *name_or_path, const struct instance_options *options,
                             struct instance **loaded, struct error *error)
{
    SCOPED(memory_release) char *path = NULL;
    SCOPED(memory_release) char *name = NULL;
    SCOPED(free_source) struct file_source source = {0};
    SCOPED(instance_release) struct instance *instance = NULL;
    const struct file_format *row, *format = NULL;
    struct stat found;
    *loaded = NULL;
    TRY(split_name(name_or_path, &path, &source.part, error));
    source.path = path;
    for (uint32_t f = 0; (row = file_format_at(f)); f++)
        if (strcmp(row->extension, file_name_extension(path)) == 0)
            format = row;
    if (!format && (stat(path, &found) != 0 || !S_ISREG(found.st_mode)))
        return STATUS_OK;
    TRY(open_source(&source, !format || format->is_mapped, error));
    for (uint32_t f = 0; !format && (row = file_format_at(f)); f++)
        if (row->recognises && row->recognises(&source.text))
            format = row;
    if (!format)
        return file_format_refuse_foreign(&source, error);
    if (!format->has_parts)
        TRY(file_source_refuse_part(&source, error));
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
    SCOPED(free_source) struct file_source source = {0};
    const struct embedded_file *file = NULL;
    const struct file_format *format;
    for (uint32_t f = 0; (format = file_format_at(f)); f++) {
        char extension[16];
        snprintf(extension, sizeof extension, ".%s", format->extension);
        file = embedded_find(datasets_builtin, datasets_builtin_count, "builtin/", name, extension);
        if (!file)
            continue;
        source.path = file->name;
        text_append_bytes(&source.text, file->bytes, file->length);
        TRY(text_check(&source.text, error));
        return load_source(format, &source, name, options, instance, error);
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
                                const char *options, struct file_content *content,
                                struct error *error)
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
    struct file_content content = {0};
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
                            "found a folder, expected a file (" FILE_FORMATS ")");
    if (is_there)
        return error_set_at(error, STATUS_BAD_INPUT, name, 0,
                            "found a file with the extension '%s', expected one of " FILE_FORMATS,
                            file_name_extension(name));
    instance_source_suggest(name, &near);
    if (near.length)
        return error_set(error, STATUS_USAGE, "no instance '%s', did you mean %s?", name,
                         near.bytes);
    return error_set(error, STATUS_USAGE,
                     "no instance '%s', expected a file (" FILE_FORMATS ") or one of "
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
