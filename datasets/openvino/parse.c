#include <ctype.h>
#include <expat.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/openvino/xml.h"

enum { CHUNK_BYTES = 1 << 24 };

struct parsing {
    XML_Parser parser;
    struct xml *xml;
    uint32_t open; /* 1 + index of the innermost open element, 0 */
    unsigned depth;
    struct text content; /* of the element that was opened last, while it has no children */
    enum status status;
};

/* Keeps a text and returns where it begins. */
static size_t keep(struct parsing *parsing, const char *bytes, size_t length)
{
    struct xml *xml = parsing->xml;
    size_t start = xml->text_used;
    enum status status =
        memory_reserve(&xml->text, &xml->text_capacity, start + length + 1, 1, xml->error);
    if (status) {
        parsing->status = status;
        XML_StopParser(parsing->parser, XML_FALSE);
        return 0;
    }
    memcpy(xml->text + start, bytes, length);
    xml->text[start + length] = '\0';
    xml->text_used = start + length + 1;
    return start;
}

static void stop(struct parsing *parsing, enum status status)
{
    parsing->status = status;
    XML_StopParser(parsing->parser, XML_FALSE);
}

static void XMLCALL begin(void *context, const char *name, const char **attributes)
{
    struct parsing *parsing = context;
    struct xml *xml = parsing->xml;
    unsigned line = (unsigned)XML_GetCurrentLineNumber(parsing->parser);
    if (parsing->status)
        return;
    if (parsing->depth++ == XML_MOST_DEPTH) {
        stop(parsing, error_set_at(xml->error, STATUS_BAD_INPUT, xml->file, line,
                                   "found elements nested deeper than %d, expected at most %d",
                                   XML_MOST_DEPTH, XML_MOST_DEPTH));
        return;
    }
    enum status status =
        memory_reserve(&xml->element, &xml->element_capacity, (size_t)xml->elements + 1,
                       sizeof *xml->element, xml->error);
    if (status) {
        stop(parsing, status);
        return;
    }
    struct xml_element added = {
        .line = line, .parent = parsing->open, .attribute = xml->attributes};
    added.name = keep(parsing, name, strlen(name));
    added.text = added.name + strlen(name);
    for (; *attributes && !parsing->status; attributes += 2, added.attributes++) {
        status = memory_reserve(&xml->attribute, &xml->attribute_capacity,
                                (size_t)xml->attributes + 1, sizeof *xml->attribute, xml->error);
        if (status) {
            stop(parsing, status);
            return;
        }
        struct xml_attribute *attribute = &xml->attribute[xml->attributes++];
        attribute->name = keep(parsing, attributes[0], strlen(attributes[0]));
        attribute->value = keep(parsing, attributes[1], strlen(attributes[1]));
    }
    xml->element[xml->elements++] = added;
    if (parsing->open) {
        struct xml_element *parent = &xml->element[parsing->open - 1];
        if (parent->last_child)
            xml->element[parent->last_child - 1].next = xml->elements;
        else
            parent->first_child = xml->elements;
        parent->last_child = xml->elements;
    }
    parsing->open = xml->elements;
    parsing->content.length = 0;
}

static void XMLCALL end(void *context, const char *name)
{
    struct parsing *parsing = context;
    struct text *content = &parsing->content;
    size_t from = 0, to = content->length;
    (void)name;
    if (parsing->status)
        return;
    while (from < to && isspace((unsigned char)content->bytes[from]))
        from++;
    while (to > from && isspace((unsigned char)content->bytes[to - 1]))
        to--;
    if (to > from)
        parsing->xml->element[parsing->open - 1].text =
            keep(parsing, content->bytes + from, to - from);
    parsing->open = parsing->xml->element[parsing->open - 1].parent;
    parsing->depth--;
    content->length = 0;
}

static void XMLCALL add_content(void *context, const char *bytes, int length)
{
    struct parsing *parsing = context;
    text_append_bytes(&parsing->content, bytes, (size_t)length);
    if (parsing->content.failed)
        stop(parsing, error_no_memory(parsing->xml->error));
}

static void XMLCALL refuse_doctype(void *context, const char *name, const char *system,
                                   const char *public, int has_subset)
{
    struct parsing *parsing = context;
    (void)name, (void)system, (void)public, (void)has_subset;
    stop(parsing, error_set_at(parsing->xml->error, STATUS_BAD_INPUT, parsing->xml->file,
                               (unsigned)XML_GetCurrentLineNumber(parsing->parser),
                               "found a DOCTYPE, expected none"));
}

static enum status parse(struct parsing *parsing, const struct text *text)
{
    struct xml *xml = parsing->xml;
    enum XML_Status status = XML_STATUS_OK;
    size_t at = 0;
    do {
        size_t length = text->length - at < CHUNK_BYTES ? text->length - at : CHUNK_BYTES;
        status = XML_Parse(parsing->parser, text->bytes ? text->bytes + at : "", (int)length,
                           at + length == text->length);
        at += length;
    } while (status == XML_STATUS_OK && at < text->length);
    TRY(parsing->status);
    if (status == XML_STATUS_OK)
        return STATUS_OK;
    enum XML_Error code = XML_GetErrorCode(parsing->parser);
    if (code == XML_ERROR_NO_MEMORY)
        return error_no_memory(xml->error);
    return error_set_at(xml->error, STATUS_BAD_INPUT, xml->file,
                        (unsigned)XML_GetCurrentLineNumber(parsing->parser),
                        "found no XML (%s), expected a network of OpenVINO", XML_ErrorString(code));
}

static void *allocate(size_t bytes)
{
    return memory_allocate(bytes, 1);
}

enum status xml_read(const struct text *text, const char *file, struct xml *xml,
                     struct error *error)
{
    const XML_Memory_Handling_Suite memory = {allocate, memory_resize, memory_free};
    *xml = (struct xml){.file = file, .error = error};
    struct parsing parsing = {.parser = XML_ParserCreate_MM(NULL, &memory, NULL), .xml = xml};
    if (!parsing.parser)
        return error_no_memory(error);
    XML_SetUserData(parsing.parser, &parsing);
    XML_SetElementHandler(parsing.parser, begin, end);
    XML_SetCharacterDataHandler(parsing.parser, add_content);
    XML_SetStartDoctypeDeclHandler(parsing.parser, refuse_doctype);
    enum status status = parse(&parsing, text);
    XML_ParserFree(parsing.parser);
    text_free(&parsing.content);
    return status;
}
