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

/* Makes the keys the next ones of the tree. */
static enum status add_keys(struct json_tree *tree, const char *const *key, uint32_t *count,
                            struct error *error)
{
    for (; *key; key++, ++*count)
        TRY(names_add(&tree->keys, *key, error));
    return STATUS_OK;
}

enum status json_document_read_sparing(const struct text *text, const char *file,
                                       const struct json_spare *spare,
                                       struct json_document **created, struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_create(file, &document, error));
    struct json_tree *tree = &document->tree;
    TRY(add_keys(tree, spare->skipped, &tree->skipped_keys, error));
    TRY(add_keys(tree, spare->put_off, &tree->put_off_keys, error));
    TRY(json_parse(text, file, NULL, tree, error));
    document->root = json_tree_root(tree);
    document->text = text;
    HAND_OVER(document, created);
}

/* Opens the value that stands at `at`, or the next one of the array there, and moves it behind. */
static enum status parse_part(struct json_document *document, bool is_next, struct json_value *at,
                              const struct json_value **part, struct error *error)
{
    struct json_tree *tree = &document->tree;
    const size_t begin = at->text;
    const struct json_tree around = *tree;
    tree->value = document->unused.value;
    tree->value_capacity = document->unused.capacity;
    tree->values = tree->open = 0;
    document->unused = (struct json_part){0};
    enum status status =
        json_parse_put_off(document->text, document->file, is_next, at, tree, error);
    document->bytes_read += at->text - begin;
    json_forget(document->text, &document->forgotten, document->bytes_read);
    struct json_part *opened = &document->part.item[document->part.count - 1];
    opened->value = tree->value;
    *part = tree->values ? tree->value : NULL;
    opened->capacity = tree->value_capacity;
    tree->value = around.value;
    tree->value_capacity = around.value_capacity;
    tree->values = around.values;
    tree->open = around.open;
    return status;
}

enum status json_document_open_part(struct json_document *document, const struct json_value *value,
                                    const struct json_value **part, struct error *error)
{
    struct json_value at = *value;
    *part = value;
    TRY_ADD(document->part, error, (struct json_part){.text_used = document->tree.text_used});
    return value->put_off ? parse_part(document, false, &at, part, error) : STATUS_OK;
}

enum status json_document_next_part(struct json_document *document, const struct json_value *array,
                                    struct json_value *at, const struct json_value **part,
                                    struct error *error)
{
    if (*part)
        json_document_close_part(document);
    else
        *at = *array;
    if (!array->put_off)
        *part = *part ? json_tree_next(array, *part) : json_tree_first(array);
    TRY_ADD(document->part, error, (struct json_part){.text_used = document->tree.text_used});
    if (array->put_off && document->text->bytes[array->text] == '[')
        TRY(parse_part(document, true, at, part, error));
    if (!*part)
        json_document_close_part(document);
    return STATUS_OK;
}

void json_document_close_part(struct json_document *document)
{
    struct json_part *closed = &document->part.item[--document->part.count];
    document->tree.text_used = closed->text_used;
    if (document->unused.value)
        memory_free(closed->value);
    else
        document->unused = *closed;
}

void json_document_free(struct json_document *document)
{
    if (!document)
        return;
    json_tree_free(&document->tree);
    while (document->part.count)
        memory_free(document->part.item[--document->part.count].value);
    memory_free_all(document->part.item, document->unused.value, document->file, document);
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
