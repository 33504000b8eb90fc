/* Reads which buffers lie below each in a plan for all sizes. */

#include <string.h>

#include "core/memory.h"
#include "datasets/json/fields.h"
#include "harness/family/family_file.h"

struct reader {
    struct json_reader json;
    const struct problem *problem;
    const struct json_value **listed; /* [buffers] the list of each buffer, or NULL */
};

static enum status find_buffer(const struct reader *reader, const struct json_value *value,
                               uint32_t *buffer)
{
    const char *name;
    TRY(json_fields_value_text(&reader->json, value, "name of a buffer", &name));
    *buffer = names_find(&reader->problem->names, name);
    if (*buffer == NAMES_NONE)
        return json_document_fail(&reader->json, value,
                                  "found buffer '%s', expected one of the problem", name);
    return STATUS_OK;
}

/* Finds the list of each buffer, and in *pairs how many entries all lists have together. */
static enum status find_lists(const struct reader *reader, const struct json_value *buffers,
                              size_t *pairs)
{
    const struct json_reader *json = &reader->json;
    *pairs = 0;
    JSON_EACH(object, buffers) {
        uint32_t buffer;
        const struct json_value *list;
        TRY(json_fields_check(json, object, "a buffer", "name size alignment below"));
        TRY(find_buffer(reader, json_fields_get(json, object, "name"), &buffer));
        TRY(json_fields_array(json, object, "below", &list));
        if (reader->listed[buffer])
            return json_document_fail(json, object, "found buffer '%s' again, expected each once",
                                      names_get(&reader->problem->names, buffer));
        reader->listed[buffer] = list;
        *pairs += json_tree_count(list);
    }
    for (uint32_t b = 0; b < reader->problem->buffers; b++)
        if (!reader->listed[b])
            return json_document_fail(json, buffers, "found no buffer '%s', expected all",
                                      names_get(&reader->problem->names, b));
    return *pairs <= UINT32_MAX
               ? STATUS_OK
               : json_document_fail(json, buffers, "found %zu pairs, expected at most 2^32 - 1",
                                    *pairs);
}

static enum status read_document(const struct instance *instance,
                                 const struct json_document *document, struct below_read *read,
                                 struct error *error)
{
    const struct problem *problem = instance->problem;
    SCOPED(memory_release) const struct json_value **listed = NULL;
    struct reader reader = {.json = {document, error}, .problem = problem};
    const struct json_value *root = document->root, *buffers;
    const char *digest;
    size_t pairs;
    TRY(json_document_expect_format(&reader.json, FAMILY_PLAN_FORMAT));
    TRY(json_fields_check(&reader.json, root, "a plan for all sizes",
                          "format instance digest planner status parameters peak lower_bound "
                          "worst_ratio proved_ratio worst_at buffers"));
    TRY(json_fields_text(&reader.json, root, "digest", &digest));
    if (strcmp(digest, instance->digest) != 0)
        return json_document_fail(&reader.json, json_fields_get(&reader.json, root, "digest"),
                                  "found a plan of another instance, expected one of '%s'",
                                  instance->name);
    TRY(json_fields_array(&reader.json, root, "buffers", &buffers));
    TRY(memory_create(&listed, problem->buffers, sizeof *listed, error));
    reader.listed = listed;
    TRY(find_lists(&reader, buffers, &pairs));
    TRY(memory_create(&read->first, (size_t)problem->buffers + 1, sizeof *read->first, error));
    TRY(memory_create(&read->below, pairs, sizeof *read->below, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        read->first[b + 1] = read->first[b];
        JSON_EACH(value, listed[b])
            TRY(find_buffer(&reader, value, &read->below[read->first[b + 1]++]));
    }
    return STATUS_OK;
}

enum status family_file_read_text(const struct instance *instance, const struct text *text,
                                  const char *file, struct below_read *read, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    *read = (struct below_read){NULL, NULL};
    TRY(json_document_read(text, file, &document, error));
    return read_document(instance, document, read, error);
}

enum status family_file_read(const struct instance *instance, const char *path,
                             struct below_read *read, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    *read = (struct below_read){NULL, NULL};
    TRY(text_read_file(path, &text, error));
    return family_file_read_text(instance, &text, path, read, error);
}

void family_file_free(struct below_read *read)
{
    memory_free_all(read->first, read->below);
}
