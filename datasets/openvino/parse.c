#include <ctype.h>
#include <expat.h>
#include <stdio.h>

#include "core/memory.h"
#include "datasets/json/build.h"
#include "datasets/openvino/xml.h"

/* The file is handed to expat in pieces, as expat copies each; but a tag that a piece cuts off is
   read a second time, so pieces are not small. */
enum { MOST_CHUNKS = 64, LEAST_CHUNK_BYTES = 1 << 16 };

/* What is read. The first of the attributes is one of <net> alone, the second one of outputs. */
static const char *const elements[] = {
    "net",       "layers",    "layer",         "data",          "input",      "output",
    "port",      "edges",     "edge",          "port_map",      "back_edges", "body",
    "then_body", "else_body", "then_port_map", "else_port_map", NULL};
static const char *const known[] = {
    "version",           "precision", "id",      "name",        "type", "from-layer",
    "from-port",         "to-layer",  "to-port", "variable_id", "axis", "external_port_id",
    "internal_layer_id", NULL};

struct parsing {
    XML_Parser parser;
    struct json_document *document;
    unsigned depth, skipped_from; /* skipped_from: the depth of an element that is left out; 0 */
    bool is_input;                /* the ports are those of inputs */
    bool is_edges;
    struct text end;     /* of an edge */
    struct text content; /* behind the tag that came last */
    struct error *error;
    enum status status;
};

static void stop(struct parsing *parsing, enum status status)
{
    parsing->status = status;
    XML_StopParser(parsing->parser, XML_FALSE);
}

static enum status fail(const struct parsing *parsing, const char *found, const char *expected)
{
    return error_set_at(parsing->error, STATUS_BAD_INPUT, parsing->document->file,
                        (unsigned)XML_GetCurrentLineNumber(parsing->parser),
                        "found %s, expected %s", found, expected);
}

static bool is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list;
}

static const char *find(const char **attributes, const char *name)
{
    while (*attributes && strcmp(*attributes, name) != 0)
        attributes += 2;
    return *attributes ? attributes[1] : "";
}

static void add_end(struct parsing *parsing, const char *key, const char *layer, const char *port)
{
    parsing->end.length = 0;
    text_append(&parsing->end, XML_END, layer, port);
    if (!parsing->end.failed)
        json_build_text(&parsing->document->tree, key, parsing->end.bytes);
}

static void XMLCALL begin(void *context, const char *name, const char **attributes)
{
    struct parsing *parsing = context;
    struct json_tree *tree = &parsing->document->tree;
    if (parsing->depth++ == XML_MOST_DEPTH)
        stop(parsing, fail(parsing, "elements nested deeper than 256", "at most 256"));
    if (!parsing->skipped_from && !is_among(name, elements))
        parsing->skipped_from = parsing->depth;
    parsing->content.length = 0;
    tree->next_line = (uint32_t)XML_GetCurrentLineNumber(parsing->parser);
    if (parsing->skipped_from)
        return;
    bool is_port = strcmp(name, "port") == 0, is_edge = strcmp(name, "edge") == 0;
    parsing->is_input =
        strcmp(name, "output") != 0 && (parsing->is_input || strcmp(name, "input") == 0);
    parsing->is_edges = strcmp(name, "edges") == 0 || (parsing->is_edges && is_edge);
    if ((is_port && parsing->is_input) || (is_edge && parsing->is_edges))
        parsing->skipped_from = parsing->depth;
    if (is_port && parsing->is_input)
        json_build_text(tree, name, find(attributes, "id"));
    if (is_edge && parsing->is_edges) {
        add_end(parsing, "from", find(attributes, "from-layer"), find(attributes, "from-port"));
        add_end(parsing, "to", find(attributes, "to-layer"), find(attributes, "to-port"));
    }
    if (parsing->skipped_from)
        return;
    const char *const *kept = known + (parsing->depth > 1) + parsing->is_input;
    json_build_open(tree, name, JSON_OBJECT);
    for (; *attributes; attributes += 2)
        if (is_among(attributes[0], kept))
            json_build_text(tree, attributes[0], attributes[1]);
}

static void XMLCALL end(void *context, const char *name)
{
    struct parsing *parsing = context;
    struct json_tree *tree = &parsing->document->tree;
    struct text *content = &parsing->content;
    size_t from = 0, to = content->length;
    while (from < to && isspace((unsigned char)content->bytes[from]))
        from++;
    while (to > from && isspace((unsigned char)content->bytes[to - 1]))
        to--;
    if (!parsing->skipped_from)
        json_build_close(tree);
    else if (parsing->skipped_from == parsing->depth) {
        parsing->skipped_from = 0;
        if (!parsing->is_input && strcmp(name, "dim") == 0)
            json_build_text_bytes(tree, "dim", to ? content->bytes + from : "", to - from);
    }
    parsing->depth--;
    content->length = 0;
}

static void XMLCALL add_content(void *context, const char *bytes, int length)
{
    struct parsing *parsing = context;
    text_append_bytes(&parsing->content, bytes, (size_t)length);
}

static void XMLCALL refuse_doctype(void *context, const char *name, const char *system,
                                   const char *public, int has_subset)
{
    struct parsing *parsing = context;
    (void)name, (void)system, (void)public, (void)has_subset;
    stop(parsing, fail(parsing, "a DOCTYPE", "none"));
}

static enum status parse(struct parsing *parsing, const struct text *text)
{
    struct json_tree *tree = &parsing->document->tree;
    enum XML_Status status = XML_STATUS_OK;
    size_t at = 0, chunk = text->length / MOST_CHUNKS;
    chunk = chunk > LEAST_CHUNK_BYTES ? chunk : LEAST_CHUNK_BYTES;
    json_build_open(tree, NULL, JSON_OBJECT);
    do {
        size_t length = text->length - at < chunk ? text->length - at : chunk;
        status = XML_Parse(parsing->parser, text->bytes ? text->bytes + at : "", (int)length,
                           at + length == text->length);
        at += length;
    } while (status == XML_STATUS_OK && at < text->length);
    TRY(parsing->status);
    enum XML_Error code = XML_GetErrorCode(parsing->parser);
    if (code == XML_ERROR_NO_MEMORY || tree->failed || parsing->content.failed ||
        parsing->end.failed)
        return error_no_memory(parsing->error);
    if (status != XML_STATUS_OK) {
        char found[128];
        snprintf(found, sizeof found, "no XML (%s)", XML_ErrorString(code));
        return fail(parsing, found, "a network of OpenVINO");
    }
    json_build_close(tree);
    parsing->document->root = json_tree_root(tree);
    return STATUS_OK;
}

static void *allocate(size_t bytes)
{
    return memory_allocate(bytes, 1);
}

enum status xml_read(const struct text *text, const char *file, struct json_document **document,
                     struct error *error)
{
    const XML_Memory_Handling_Suite memory = {allocate, memory_resize, memory_free};
    struct parsing parsing = {.error = error};
    TRY(json_document_create(file, document, error));
    parsing.document = *document;
    parsing.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!parsing.parser)
        return error_no_memory(error);
    XML_SetUserData(parsing.parser, &parsing);
    XML_SetElementHandler(parsing.parser, begin, end);
    XML_SetCharacterDataHandler(parsing.parser, add_content);
    XML_SetStartDoctypeDeclHandler(parsing.parser, refuse_doctype);
    enum status status = parse(&parsing, text);
    XML_ParserFree(parsing.parser);
    text_free(&parsing.content);
    text_free(&parsing.end);
    return status;
}
