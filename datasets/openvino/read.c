#include <string.h>

#include "core/memory.h"
#include "datasets/openvino/reader.h"

enum { LEAST_VERSION = 10, MOST_VERSION = 11, HEAD_BYTES = 512 };

static void free_reader(struct openvino_reader *reader)
{
    json_document_free(reader->document);
    assembly_clear(&reader->assembly);
    names_free(&reader->variables);
    names_free(&reader->input_names);
    assembly_list_free(&reader->variable);
    assembly_list_free(&reader->inputs);
}

bool openvino_is_network(const struct text *text)
{
    char head[HEAD_BYTES + 1] = "";
    size_t length = text->length < HEAD_BYTES ? text->length : HEAD_BYTES;
    if (length)
        memcpy(head, text->bytes, length);
    const char *net = strstr(head, "<net ");
    return *head == '<' && net && strstr(net, "version=");
}

/* The Results are the outputs; variables are inputs and outputs, so that they live throughout. */
static enum status add_ends(struct openvino_frame *frame, struct graph **graph)
{
    struct openvino_reader *reader = frame->reader;
    struct assembly *assembly = &reader->assembly;
    SCOPED(assembly_list_free) struct assembly_list outputs = {0};
    for (uint32_t l = 0; l < frame->layer.count; l++) {
        struct assembly_value *value;
        const char *name;
        uint32_t tensor;
        if (strcmp(frame->layer.item[l].type, "Result") != 0)
            continue;
        TRY(openvino_input(frame, l, 0, &value, &name));
        TRY(assembly_tensor(assembly, value, name, &tensor));
        TRY(assembly_list_add(assembly, &outputs, tensor));
    }
    for (uint32_t i = 0; i < reader->variable.count; i++) {
        TRY(assembly_list_add(assembly, &reader->inputs, reader->variable.item[i]));
        TRY(assembly_list_add(assembly, &outputs, reader->variable.item[i]));
    }
    if (!assembly->graph->operators)
        return json_document_fail(&reader->xml, NULL,
                                  "found no layers that compute, expected at least one");
    TRY(graph_set_inputs(assembly->graph, reader->inputs.item, reader->inputs.count,
                         reader->xml.error));
    return assembly_finish(assembly, &outputs, reader->document->file, graph);
}

static enum status read_network(struct openvino_reader *reader, struct graph **graph)
{
    SCOPED(openvino_frame_free) struct openvino_frame frame = {0};
    const struct json_reader *xml = &reader->xml;
    const struct json_value *net = json_fields_get(xml, reader->document->root, "net");
    const char *text = json_fields_word(xml, net, "version");
    uint64_t version;
    if (!net)
        return json_document_fail(xml, net,
                                  "found no element \"net\", expected a network of OpenVINO");
    if (!text_parse_u64(text, strlen(text), &version) || version < LEAST_VERSION ||
        version > MOST_VERSION)
        return json_document_fail(xml, net,
                                  "found version '%.20s' of the format, expected %d or %d", text,
                                  LEAST_VERSION, MOST_VERSION);
    TRY(openvino_frame_open(reader, net, false, &frame));
    TRY(openvino_add_layers(&frame));
    TRY(bound_shapes_check(reader->options, &reader->input_names, xml->error));
    return add_ends(&frame, graph);
}

enum status openvino_read(const struct text *text, const char *file,
                          const struct model_options *options, struct graph **graph,
                          struct error *error)
{
    SCOPED(free_reader) struct openvino_reader reader = {.options = options};
    TRY(xml_read(text, file, &reader.document, error));
    reader.xml = (struct json_reader){reader.document, error};
    TRY(assembly_create_of_file(&reader.assembly, file, error));
    return read_network(&reader, graph);
}
