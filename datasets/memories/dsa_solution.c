/* Solutions of dsa-solver, and the fingerprints by which they name their problems. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/text.h"
#include "datasets/memories/parts.h"

struct field {
    const char *key;
    const struct json_value *value;
};

static int compare_fields(const void *left, const void *right)
{
    return strcmp(((const struct field *)left)->key, ((const struct field *)right)->key);
}

static void write_string(struct text *text, const char *string)
{
    static const char escaped[] = "\b\f\n\r\t", letter[] = "bfnrt";
    text_append(text, "\"");
    for (; *string; string++) {
        const char *found = strchr(escaped, *string);
        if (found)
            text_append(text, "\\%c", letter[found - escaped]);
        else if (*string == '"' || *string == '\\')
            text_append(text, "\\%c", *string);
        else if ((unsigned char)*string < 0x20)
            text_append(text, "\\u%04x", (unsigned char)*string);
        else
            text_append_bytes(text, string, 1);
    }
    text_append(text, "\"");
}

static enum status write_canonical(const struct json_tree *tree, const struct json_value *value,
                                   int level, struct text *text, struct error *error);

/* Writes the fields of an object in the order of their keys; the document itself always has
   metadata. */
static enum status write_fields(const struct json_tree *tree, const struct json_value *object,
                                int level, struct text *text, struct error *error)
{
    size_t fields = 1;
    SCOPED(memory_release) struct field *field = NULL;
    JSON_EACH(value, object)
        fields += value != NULL;
    TRY(memory_create(&field, fields, sizeof *field, error));
    fields = 0;
    JSON_EACH(value, object)
        field[fields++] = (struct field){json_tree_key(tree, value), value};
    if (!level && !json_tree_find(tree, object, "metadata"))
        field[fields++] = (struct field){"metadata", NULL};
    qsort(field, fields, sizeof *field, compare_fields);
    for (size_t i = 0; i < fields; i++) {
        text_append(text, "%s\n%*s", i ? "," : "", 2 * (level + 1), "");
        write_string(text, field[i].key);
        text_append(text, ": ");
        if (field[i].value)
            TRY(write_canonical(tree, field[i].value, level + 1, text, error));
        else
            text_append(text, "{}");
    }
    return STATUS_OK;
}

/* Recurses as deep as values are nested. */
static enum status write_canonical(const struct json_tree *tree, const struct json_value *value,
                                   int level, struct text *text, struct error *error)
{
    const struct json_value *first = json_tree_first(value);
    const char *brackets = json_tree_is(value, JSON_OBJECT) ? "{}" : "[]";
    switch ((enum json_kind)value->kind) {
    case JSON_NULL:
        text_append(text, "null");
        return STATUS_OK;
    case JSON_FALSE:
    case JSON_TRUE:
        text_append(text, value->kind == JSON_TRUE ? "true" : "false");
        return STATUS_OK;
    case JSON_INTEGER:
        if (value->negative)
            text_append(text, "%" PRId64, (int64_t)value->integer);
        else
            text_append(text, "%" PRIu64, value->integer);
        return STATUS_OK;
    case JSON_REAL:
        json_text_double(text, value->real);
        return STATUS_OK;
    case JSON_TEXT:
        write_string(text, json_tree_text(tree, value));
        return STATUS_OK;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    text_append(text, "%c", brackets[0]);
    if (json_tree_is(value, JSON_OBJECT)) {
        TRY(write_fields(tree, value, level, text, error));
    } else {
        JSON_EACH(held, value) {
            text_append(text, "%s\n%*s", held == first ? "" : ",", 2 * (level + 1), "");
            TRY(write_canonical(tree, held, level + 1, text, error));
        }
    }
    if (first || !level)
        text_append(text, "\n%*s", 2 * level, "");
    text_append(text, "%c", brackets[1]);
    return STATUS_OK;
}

enum status memory_parts_fingerprint(const struct json_document *document,
                                     char fingerprint[DSA_FINGERPRINT_BYTES], struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    uint64_t hash = 0xcbf29ce484222325;
    TRY(write_canonical(&document->tree, document->root, 0, &text, error));
    text_append(&text, "\n");
    TRY(text_check(&text, error));
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.bytes[i]) * 0x100000001b3;
    snprintf(fingerprint, DSA_FINGERPRINT_BYTES, "%016" PRIx64, hash);
    return STATUS_OK;
}

enum status memory_file_write_solution(const struct memory_file *file,
                                       const struct memory_plan *plan, struct text *text,
                                       struct error *error)
{
    const char *name = names_get(&file->problem->problem->name, 0);
    size_t start = text->length;
    assert(file->dsa.profile);
    json_text_after(text, "{\n  \"instance\": ", name);
    text_append(text,
                ",\n  \"metadata\": {\n    \"solver\": \"memplan\"\n  },\n  \"placements\": [");
    for (uint32_t b = 0; b < plan->buffers; b++)
        text_append(text,
                    "%s\n    {\"buffer\": %" PRIu32 ", \"offset\": %" PRIu64 ", \"pool\": %" PRIu32
                    "}",
                    b ? "," : "", file->dsa.buffer_id[b], plan->offset[b],
                    file->dsa.memory_id[plan->memory[b]]);
    text_append(text, "\n  ],\n  \"problem_fingerprint\": \"%s\",", file->dsa.fingerprint);
    json_text_after(text, "\n  \"profile\": ", file->dsa.profile);
    text_append(text, ",\n  \"schema_version\": 1\n}\n");
    return json_text_check(text, start, "problem", name, error);
}
