#include "datasets/json/document.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

struct json_place {
    const json_t *value;
    unsigned line;
};

/* Where values start in the text, in the order in which they are written. */
struct scan {
    const char *at, *end;
    unsigned line;
};

static bool is_one_of(char character, const char *set)
{
    return character && strchr(set, character);
}

static void skip_blanks(struct scan *scan)
{
    for (; scan->at < scan->end && is_one_of(*scan->at, " \t\r\n"); scan->at++)
        scan->line += *scan->at == '\n';
}

static void skip_string(struct scan *scan)
{
    for (scan->at++; scan->at < scan->end && *scan->at != '"'; scan->at++)
        if (*scan->at == '\\')
            scan->at++;
    scan->at++;
}

static void skip_word(struct scan *scan)
{
    while (scan->at < scan->end && !is_one_of(*scan->at, " \t\r\n,:[]{}\""))
        scan->at++;
}

/* Moves past the next value's beginning and gives its line; past all of it if it holds no others.
   The text is valid JSON. False at the end. */
static bool next_value(struct scan *scan, unsigned *line)
{
    for (;;) {
        skip_blanks(scan);
        if (scan->at >= scan->end)
            return false;
        *line = scan->line;
        char first = *scan->at;
        if (is_one_of(first, "[{")) {
            scan->at++;
            return true;
        }
        if (is_one_of(first, "]},:")) {
            scan->at++;
            continue;
        }
        if (first != '"') {
            skip_word(scan);
            if (is_one_of(first, "tfn"))
                continue;
            return true;
        }
        skip_string(scan);
        skip_blanks(scan);
        if (scan->at >= scan->end || *scan->at != ':')
            return true;
    }
}

static bool has_own_address(const json_t *value)
{
    return !json_is_boolean(value) && !json_is_null(value);
}

static enum status add_place(struct json_document *document, struct scan *scan, const json_t *value,
                             struct error *error)
{
    struct json_place place = {.value = value};
    TRY(memory_reserve(&document->place, &document->place_capacity, document->places + 1,
                       sizeof *document->place, error));
    if (next_value(scan, &place.line))
        document->place[document->places++] = place;
    return STATUS_OK;
}

/* Recurses as deep as jansson's parser did, at most 2048 levels. */
static enum status add_places(struct json_document *document, struct scan *scan, json_t *value,
                              struct error *error)
{
    if (!has_own_address(value))
        return STATUS_OK;
    TRY(add_place(document, scan, value, error));
    if (json_is_array(value))
        for (size_t index = 0; index < json_array_size(value); index++)
            TRY(add_places(document, scan, json_array_get(value, index), error));
    if (json_is_object(value))
        for (void *i = json_object_iter(value); i; i = json_object_iter_next(value, i))
            TRY(add_places(document, scan, json_object_iter_value(i), error));
    return STATUS_OK;
}

static int compare_places(const void *left, const void *right)
{
    const struct json_place *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static enum status index_places(struct json_document *document, const struct text *text,
                                struct error *error)
{
    struct scan scan = {.at = text->bytes, .end = text->bytes + text->length, .line = 1};
    TRY(add_places(document, &scan, document->root, error));
    qsort(document->place, document->places, sizeof *document->place, compare_places);
    return STATUS_OK;
}

static enum status parse_text(struct json_document *document, const struct text *text,
                              struct error *error)
{
    json_error_t fault = {.line = -1};
    document->root =
        json_memory_load(&document->memory, text->bytes ? text->bytes : "", text->length, &fault);
    if (document->memory.failed)
        return error_no_memory(error);
    if (document->root)
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, document->file,
                        fault.line > 0 ? (unsigned)fault.line : 1, "%s, expected JSON", fault.text);
}

static enum status fill_document(struct json_document *document, const struct text *text,
                                 const char *file, struct error *error)
{
    document->file = memory_copy_text(file);
    if (!document->file)
        return error_no_memory(error);
    TRY(parse_text(document, text, error));
    return index_places(document, text, error);
}

enum status json_document_read(const struct text *text, const char *file,
                               struct json_document **created, struct error *error)
{
    struct json_document *document;
    TRY(memory_create(&document, 1, sizeof *document, error));
    enum status status = fill_document(document, text, file, error);
    if (status) {
        json_document_free(document);
        return status;
    }
    *created = document;
    return STATUS_OK;
}

void json_document_free(struct json_document *document)
{
    if (!document)
        return;
    json_memory_free(&document->memory);
    memory_free(document->file);
    memory_free(document->place);
    memory_free(document);
}

unsigned json_document_line(const struct json_document *document, const json_t *value)
{
    struct json_place wanted = {.value = value};
    const struct json_place *found = NULL;
    if (value && document->places)
        found = bsearch(&wanted, document->place, document->places, sizeof wanted, compare_places);
    return found ? found->line : 0;
}

const json_t *json_document_nearest(const struct json_document *document, const json_t *value,
                                    const json_t *holder)
{
    return json_document_line(document, value) ? value : holder;
}

enum status json_document_fail(const struct json_document *document, const json_t *value,
                               struct error *error, const char *format, ...)
{
    char message[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(error, STATUS_BAD_INPUT, document->file,
                        json_document_line(document, value), "%s", message);
}

enum status json_document_place(const struct json_document *document, const json_t *value,
                                enum status status, struct error *error)
{
    if (status != STATUS_BAD_INPUT || error->line)
        return status;
    snprintf(error->file, sizeof error->file, "%s", document->file);
    error->line = json_document_line(document, value);
    return status;
}

const char *json_document_format(const struct json_document *document)
{
    return json_string_value(json_object_get(document->root, "format"));
}

enum status json_document_expect_format(const struct json_document *document, const char *format,
                                        struct error *error)
{
    const json_t *found = json_object_get(document->root, "format");
    if (!json_is_object(document->root))
        return json_document_fail(document, document->root, error,
                                  "the top level is no object, expected one with \"format\": "
                                  "\"%s\"",
                                  format);
    if (!found)
        return json_document_fail(document, document->root, error,
                                  "no key \"format\", expected \"%s\"", format);
    if (!json_is_string(found))
        return json_document_fail(document, json_document_nearest(document, found, document->root),
                                  error, "\"format\" is no text, expected \"%s\"", format);
    if (strcmp(json_string_value(found), format) != 0)
        return json_document_fail(document, found, error, "found format \"%s\", expected \"%s\"",
                                  json_string_value(found), format);
    return STATUS_OK;
}
