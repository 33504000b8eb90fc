#include "datasets/memory_instance.h"

#include <string.h>

#include "core/embedded.h"
#include "core/file.h"
#include "core/memory.h"
#include "datasets/instance.h"
#include "datasets/json/document.h"
#include "datasets/memories/derived.h"

extern const struct embedded_file datasets_builtin[];
extern const unsigned datasets_builtin_count;

#define FOLDER "memories/"

static const struct embedded_file *find_builtin(const char *name)
{
    return strncmp(name, FOLDER, strlen(FOLDER))
               ? NULL
               : embedded_find(datasets_builtin, datasets_builtin_count, "builtin/", name, ".json");
}

bool memory_instance_is(const char *name)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct error ignored = ERROR_NONE;
    if (memory_derived_is_name(name) || find_builtin(name))
        return true;
    return file_name_has_extension(name, ".json") && !text_read_file(name, &text, &ignored) &&
           memory_file_is_likely(&text) && !json_document_read(&text, name, &document, &ignored) &&
           memory_file_is(document);
}

static enum status load_text(const char *path, const struct text *text, struct memory_file *file,
                             struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, path, &document, error));
    return memory_file_read(document, file, error);
}

static enum status load_derived(const char *name, struct memory_file *file, struct error *error)
{
    struct generate_derived derived;
    SCOPED(instance_release) struct instance *source = NULL;
    TRY(memory_derived_parse(name, &derived, error));
    TRY(instance_load(derived.of, NULL, &source, error));
    if (!source->problem)
        return error_set(error, STATUS_USAGE, "'%s' is a graph, expected a problem of one arena",
                         derived.of);
    return memory_derived_create(&derived, name, source->problem, &file->problem, error);
}

static enum status load_content(const char *name, struct memory_file *file, struct error *error)
{
    const struct embedded_file *builtin = find_builtin(name);
    SCOPED(text_free) struct text text = {0};
    if (memory_derived_is_name(name))
        return load_derived(name, file, error);
    if (!builtin) {
        TRY(text_read_file(name, &text, error));
        return load_text(name, &text, file, error);
    }
    text_append_bytes(&text, builtin->bytes, builtin->length);
    TRY(text_check(&text, error));
    return load_text(builtin->name, &text, file, error);
}

/* The digest is that of the text behind the format and the name, so that it does not depend on the
   name. */
static enum status make_digest(struct memory_instance *instance, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(memory_file_write(instance->file.problem, &text, error));
    const char *content = strstr(text.bytes, "\"memories\"");
    digest_bytes(content, text.length - (size_t)(content - text.bytes), instance->digest);
    return STATUS_OK;
}

enum status memory_instance_load(const char *name, struct memory_instance *instance,
                                 struct error *error)
{
    *instance = (struct memory_instance){.name = memory_copy_text(name)};
    if (!instance->name)
        return error_no_memory(error);
    if (file_name_has_extension(name, ".json"))
        instance->name[strlen(name) - strlen(".json")] = '\0';
    TRY(load_content(name, &instance->file, error));
    return make_digest(instance, error);
}

void memory_instance_clear(struct memory_instance *instance)
{
    memory_free(instance->name);
    memory_file_clear(&instance->file);
    *instance = (struct memory_instance){.name = NULL};
}
