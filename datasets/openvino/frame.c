#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "datasets/openvino/reader.h"

void openvino_frame_free(struct openvino_frame *frame)
{
    names_free(&frame->ids);
    names_free(&frame->keys);
    memory_free(frame->layer);
    memory_free(frame->port);
    memory_free(frame->order);
}

static enum status make_key(struct openvino_reader *reader, uint32_t layer, const char *port)
{
    struct text *key = &reader->assembly.name;
    key->length = 0;
    text_append(key, "%u:%s", layer, port);
    return text_check(key, reader->xml.error);
}

static enum status add_ports(struct openvino_frame *frame, const char *id,
                             const struct xml_element *list, uint32_t *count)
{
    struct openvino_reader *reader = frame->reader;
    XML_EACH(element, &reader->xml, list, "port")
    {
        uint32_t port = frame->keys.count;
        TRY(make_key(reader, frame->layers, xml_attribute(&reader->xml, element, "id")));
        if (names_find(&frame->keys, reader->assembly.name.bytes) != NAMES_NONE)
            return xml_fail(&reader->xml, element,
                            "found port '%.60s' of layer '%.60s' twice, "
                            "expected each once",
                            xml_attribute(&reader->xml, element, "id"), id);
        TRY(memory_reserve(&frame->port, &frame->port_capacity, (size_t)port + 1,
                           sizeof *frame->port, reader->xml.error));
        frame->port[port] = (struct openvino_port){
            .element = element, .layer = frame->layers, .source = OPENVINO_NONE};
        TRY(names_add(&frame->keys, reader->assembly.name.bytes, reader->xml.error));
        ++*count;
    }
    return STATUS_OK;
}

static enum status add_layer(struct openvino_frame *frame, const struct xml_element *element)
{
    struct openvino_reader *reader = frame->reader;
    const struct xml *xml = &reader->xml;
    const char *id = xml_attribute(xml, element, "id");
    struct openvino_layer layer = {.element = element,
                                   .name = xml_attribute(xml, element, "name"),
                                   .type = xml_attribute(xml, element, "type"),
                                   .first_port = frame->keys.count};
    if (names_find(&frame->ids, id) != NAMES_NONE)
        return xml_fail(xml, element, "found layer '%.60s' twice, expected each once", id);
    TRY(add_ports(frame, id, xml_child(xml, element, "input"), &layer.inputs));
    TRY(add_ports(frame, id, xml_child(xml, element, "output"), &layer.outputs));
    TRY(memory_reserve(&frame->layer, &frame->layer_capacity, (size_t)frame->layers + 1,
                       sizeof *frame->layer, xml->error));
    frame->layer[frame->layers++] = layer;
    return names_add(&frame->ids, id, xml->error);
}

static enum status find_port(struct openvino_frame *frame, const struct xml_element *edge,
                             bool is_output, uint32_t *port)
{
    struct openvino_reader *reader = frame->reader;
    const struct xml *xml = &reader->xml;
    const char *id = xml_attribute(xml, edge, is_output ? "from-layer" : "to-layer");
    const char *number = xml_attribute(xml, edge, is_output ? "from-port" : "to-port");
    uint32_t found = openvino_find_layer(frame, id);
    const struct openvino_layer *layer = found == NAMES_NONE ? NULL : &frame->layer[found];
    TRY(make_key(reader, found, number));
    *port = names_find(&frame->keys, reader->assembly.name.bytes);
    if (layer && *port != NAMES_NONE && (*port >= layer->first_port + layer->inputs) == is_output)
        return STATUS_OK;
    return xml_fail(xml, edge,
                    "found an edge %s port '%.20s' of layer '%.60s', expected an %s port",
                    is_output ? "from" : "to", number, id, is_output ? "output" : "input");
}

static enum status sort_layers(struct openvino_frame *frame, const struct xml_element *edges)
{
    struct openvino_reader *reader = frame->reader;
    struct error *error = reader->xml.error;
    SCOPED(waits_free) struct waits waits = {.nodes = 0};
    uint32_t done;
    TRY(waits_create(&waits, frame->layers, error));
    XML_EACH(edge, &reader->xml, edges, "edge")
    {
        uint32_t from, to;
        TRY(find_port(frame, edge, true, &from));
        TRY(find_port(frame, edge, false, &to));
        frame->port[to].source = from;
        TRY(waits_add(&waits, frame->port[from].layer, frame->port[to].layer, error));
    }
    TRY(memory_create(&frame->order, frame->layers, sizeof *frame->order, error));
    TRY(waits_sort(&waits, frame->order, &done, error));
    return done == frame->layers
               ? STATUS_OK
               : xml_fail(&reader->xml, edges,
                          "found layers that wait for each other, expected no cycle");
}

enum status openvino_frame_open(struct openvino_reader *reader, const struct xml_element *net,
                                bool is_body, struct openvino_frame *frame)
{
    const struct xml *xml = &reader->xml;
    *frame = (struct openvino_frame){.reader = reader, .is_body = is_body};
    XML_EACH(layer, xml, xml_child(xml, net, "layers"), "layer")
    TRY(add_layer(frame, layer));
    return sort_layers(frame, xml_child(xml, net, "edges"));
}

uint32_t openvino_find_layer(const struct openvino_frame *frame, const char *id)
{
    return names_find(&frame->ids, id);
}

enum status openvino_input(struct openvino_frame *frame, uint32_t layer, uint32_t input,
                           struct assembly_value **value, const char **name)
{
    const struct openvino_layer *reads = &frame->layer[layer];
    const struct xml *xml = &frame->reader->xml;
    uint32_t source =
        input < reads->inputs ? frame->port[reads->first_port + input].source : OPENVINO_NONE;
    if (source == OPENVINO_NONE || frame->port[source].value.kind == ASSEMBLY_UNKNOWN)
        return xml_fail(xml, reads->element,
                        "found no value for input %u of layer '%.60s', expected an edge to it",
                        input, reads->name);
    *value = &frame->port[source].value;
    *name = frame->layer[frame->port[source].layer].name;
    *name = **name ? *name : "weight";
    return STATUS_OK;
}

/* Types by their names in the file. */
static bool find_precision(const char *name, struct assembly_shape *shape)
{
    static const struct {
        const char *name;
        struct assembly_type type;
    } types[] = {
        {"FP32", {32, "float32"}}, {"FP16", {16, "float16"}}, {"BF16", {16, "bfloat16"}},
        {"FP64", {64, "float64"}}, {"I64", {64, "int64"}},    {"I32", {32, "int32"}},
        {"I16", {16, "int16"}},    {"I8", {8, "int8"}},       {"U64", {64, "uint64"}},
        {"U32", {32, "uint32"}},   {"U16", {16, "uint16"}},   {"U8", {8, "uint8"}},
        {"BOOL", {8, "bool"}},     {"I4", {4, "int4"}},       {"U4", {4, NULL}},
        {"NF4", {4, NULL}},        {"U1", {1, NULL}},         {"BIN", {1, NULL}},
        {"F8E4M3", {8, NULL}},     {"F8E5M2", {8, NULL}},     {"F8E8M0", {8, NULL}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return assembly_set_type(shape, &types[i].type, 1, 0);
    return false;
}

/* A dimension of a port: a number, else what the user gives the input of the network, or assumes.
 */
static enum status read_dimension(const struct openvino_frame *frame, uint32_t port,
                                  const struct xml_element *dim, const struct bound_shape *bound,
                                  uint32_t index, uint64_t *dimension)
{
    const struct openvino_reader *reader = frame->reader;
    const char *text = xml_text(&reader->xml, dim);
    bool is_number = text_parse_u64(text, strlen(text), dimension);
    if (bound && index < bound->rank) {
        if (is_number && *dimension != (uint64_t)bound->dimension[index])
            return error_set(reader->xml.error, STATUS_USAGE,
                             "--bind gives %lld as dimension %u of '%s', the network has %llu",
                             (long long)bound->dimension[index], index,
                             frame->layer[frame->port[port].layer].name,
                             (unsigned long long)*dimension);
        *dimension = (uint64_t)bound->dimension[index];
        return STATUS_OK;
    }
    if (!is_number && reader->options->assume_dimension) {
        *dimension = reader->options->assume_dimension;
        return STATUS_OK;
    }
    if (is_number)
        return STATUS_OK;
    return xml_fail(&reader->xml, dim,
                    "found dimension '%.20s' of layer '%.60s', expected a number; shapes are not "
                    "inferred, so inputs that are open need a network reshaped in OpenVINO, or "
                    "--assume-dim",
                    text, frame->layer[frame->port[port].layer].name);
}

enum status openvino_shape(const struct openvino_frame *frame, uint32_t port,
                           struct assembly_shape *shape)
{
    const struct openvino_reader *reader = frame->reader;
    const struct xml *xml = &reader->xml;
    const struct xml_element *element = frame->port[port].element;
    const struct openvino_layer *layer = &frame->layer[frame->port[port].layer];
    const char *precision = xml_attribute(xml, element, "precision");
    struct bound_shape bound;
    bool is_bound = false, fits;
    uint64_t bits, dimension;
    *shape = (struct assembly_shape){.rank = 0};
    if (!find_precision(precision, shape))
        return xml_fail(xml, element,
                        "found precision '%.20s' of layer '%.60s', expected one with "
                        "elements of a known size",
                        precision, layer->name);
    if (!frame->is_body && strcmp(layer->type, "Parameter") == 0)
        TRY(bound_shape_find(reader->options, layer->name, &bound, &is_bound, xml->error));
    fits = true;
    bits = shape->element_bits;
    XML_EACH(dim, xml, element, "dim")
    {
        TRY(read_dimension(frame, port, dim, is_bound ? &bound : NULL, shape->rank, &dimension));
        fits &= checked_multiply(bits, dimension, &bits);
        if (shape->rank < GRAPH_MOST_DIMENSIONS)
            shape->dimension[shape->rank] = dimension;
        shape->rank++;
    }
    if (is_bound && bound.rank != shape->rank)
        return error_set(xml->error, STATUS_USAGE,
                         "--bind gives %u dimensions of '%s', the network has %u", bound.rank,
                         layer->name, shape->rank);
    if (!fits)
        return xml_fail(xml, element, "found more than 2^64 bits of layer '%.60s', expected fewer",
                        layer->name);
    shape->bytes = bits / 8 + (bits % 8 != 0);
    shape->has_dtype &= shape->rank <= GRAPH_MOST_DIMENSIONS && shape->bytes > 0;
    return STATUS_OK;
}

enum status openvino_define(struct openvino_frame *frame, uint32_t port)
{
    const struct openvino_layer *layer = &frame->layer[frame->port[port].layer];
    struct assembly_shape shape;
    TRY(openvino_shape(frame, port, &shape));
    const char *name = *layer->name ? layer->name : layer->type;
    return assembly_define(&frame->reader->assembly, *name ? name : "layer", &shape,
                           &frame->port[port].value);
}
