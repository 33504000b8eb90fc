/* Where an archive has its programs. ROOT/models/NAME.json since PyTorch 2.8, before that
   serialized_exported_program.json; an ETRecord of ExecuTorch has several under names of
   its own. */

#include <string.h>

#include "datasets/pytorch/pytorch.h"
#include "datasets/zip/zip.h"

enum { MOST_MEMBERS = 1 << 20 };

static bool ends_with(const struct zip_member *member, const char *end)
{
    size_t length = strlen(end);
    return member->name_bytes >= length &&
           memcmp(member->name + member->name_bytes - length, end, length) == 0;
}

static bool begins_with(const struct zip_member *member, const char *start)
{
    size_t length = strlen(start);
    return member->name_bytes >= length && memcmp(member->name, start, length) == 0;
}

/* The name of the program that the member holds; *length is 0 where it holds none. */
static const char *find_program(const struct zip_member *member, size_t *length)
{
    static const char models[] = "/models/", output[] = "aten_dialect_output/", json[] = ".json";
    const char *slash = memchr(member->name, '/', member->name_bytes);
    const char *end = member->name + member->name_bytes;
    *length = 0;
    if (slash && (size_t)(end - slash) > strlen(models) + strlen(json) &&
        memcmp(slash, models, strlen(models)) == 0 && ends_with(member, json)) {
        *length = (size_t)(end - slash) - strlen(models) - strlen(json);
        return slash + strlen(models);
    }
    if (begins_with(member, output) && !ends_with(member, "_state_dict")) {
        *length = member->name_bytes - strlen(output);
        return member->name + strlen(output);
    }
    if (member->name_bytes == strlen("serialized_exported_program.json") &&
        begins_with(member, "serialized_exported_program.json")) {
        *length = strlen("serialized_exported_program");
        return member->name;
    }
    return NULL;
}

/* Finds the program that is meant. *found is false where the archive has none of that name; what it
   has instead is appended to the names. */
static enum status find_member(const struct zip *zip, const char *model, bool *found,
                               struct zip_member *chosen, struct text *names)
{
    struct zip_member member;
    size_t at = 0;
    bool more = true;
    *found = false;
    for (uint32_t i = 0; i < MOST_MEMBERS && more; i++) {
        size_t length;
        TRY(zip_next(zip, &at, &more, &member));
        if (!more)
            break;
        const char *name = find_program(&member, &length);
        if (!length)
            continue;
        text_append(names, "%s%.*s", names->length ? ", " : "", (int)length, name);
        bool is_chosen = !model || (strlen(model) == length && memcmp(model, name, length) == 0);
        if (is_chosen && *found && model)
            return error_set_at(zip->error, STATUS_BAD_INPUT, zip->file, 0,
                                "found member '%.*s' twice, expected each name once",
                                (int)member.name_bytes, member.name);
        if (is_chosen && !*found)
            *chosen = member;
        *found |= is_chosen;
    }
    return text_check(names, zip->error);
}

bool pytorch_is_archive(const struct text *text)
{
    SCOPED(text_free) struct text names = {0};
    struct error ignored;
    struct zip zip;
    struct zip_member member;
    bool found;
    return zip_is_archive(text) && !zip_open(text, "", &zip, &ignored) &&
           !find_member(&zip, NULL, &found, &member, &names) && found;
}

const struct json_spare pytorch_spare = {
    .skipped = (const char *const[]){"metadata", "module_call_graph", "sym_int_values",
                                     "sym_bool_values", "frames", "time_us", NULL},
    .put_off = (const char *const[]){"nodes", "tensor_values", "segments", "blocks",
                                     "device_traces", NULL},
};

enum status pytorch_read_archive(const struct text *text, const char *file, const char *model,
                                 const struct model_options *options, struct graph **graph,
                                 struct error *error)
{
    SCOPED(text_free) struct text names = {0};
    SCOPED(text_free) struct text inflated = {0};
    struct text content;
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct zip_member member;
    struct zip zip;
    bool found;
    if (!zip_is_archive(text))
        return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                            "found no zip archive, expected one of torch.export.save");
    TRY(zip_open(text, file, &zip, error));
    TRY(find_member(&zip, model, &found, &member, &names));
    if (!found && names.length)
        return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                            "found the programs %s, expected one called '%s'", names.bytes, model);
    if (!found)
        return error_set_at(error, STATUS_BAD_INPUT, file, 0,
                            "found no program of torch.export in the archive (TorchScript and "
                            "compiled packages have none), expected models/NAME.json");
    TRY(zip_read(&zip, &member, &inflated, &content));
    TRY(json_document_read_sparing(&content, file, &pytorch_spare, &document, error));
    if (!pytorch_is_program(document))
        return json_document_fail(&(struct json_reader){document, error}, document->root,
                                  "found no \"graph_module\", expected a program of torch.export");
    return pytorch_read_program(document, options, graph, error);
}
