#include "datasets/json/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/parse.h"

enum status json_document_create(const char *file, struct json_document **document,
                                 struct error *error)
{
    TRY(memory_create(document, 1, sizeof **document, error));
    (*document)->file = memory_copy_text(file);
    return (*document)->file ? STATUS_OK : error_no_memory(error);
}

enum status json_document_read(const struct text *text, const char *file,
                               struct json_document **created, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_create(file, &document, error));
    TRY(json_parse(text, file, NULL, &document->tree, error));
    document->root = json_tree_root(&document->tree);
    HAND_OVER(document, created);
}

void json_document_free(struct json_document *document)
{
    if (!document)
        return;
    json_tree_free(&document->tree);
    memory_free_all(document->file, document);
}

enum status json_document_fail(const struct json_reader *reader, const struct json_value *value,
                               const char *format, ...)
{
    char message[sizeof reader->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(reader->error, STATUS_BAD_INPUT, reader->document->file,
                        value ? value->line : 0, "%s", message);
}

enum status json_document_place(const struct json_reader *reader, const struct json_value *value,
                                enum status status)
{
    struct error *error = reader->error;
    if (status != STATUS_BAD_INPUT || error->line)
        return status;
    error_name_file(error, reader->document->file);
    error->line = value ? value->line : 0;
    return status;
}

const char *json_document_format(const struct json_document *document)
{
    return json_tree_text(&document->tree,
                          json_tree_find(&document->tree, document->root, "format"));
}

enum status json_document_expect_format(const struct json_reader *reader, const char *format)
{
    const struct json_document *document = reader->document;
    const struct json_value *root = document->root;
    const struct json_value *value = json_tree_find(&document->tree, root, "format");
    const char *found = json_tree_text(&document->tree, value);
    if (!json_tree_is(root, JSON_OBJECT))
        return json_document_fail(reader, root,
                                  "the top level is no object, expected one with \"format\": "
                                  "\"%s\"",
                                  format);
    if (!value)
        return json_document_fail(reader, root, "no key \"format\", expected \"%s\"", format);
    if (!found)
        return json_document_fail(reader, value, "\"format\" is no text, expected \"%s\"", format);
    if (strcmp(found, format) != 0)
        return json_document_fail(reader, value, "found format \"%s\", expected \"%s\"", found,
                                  format);
    return STATUS_OK;
}
