#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "datasets/openvino/reader.h"

const char *openvino_port_id(const struct openvino_reader *reader, const struct json_value *port)
{
    const char *text = json_tree_text(&reader->document->tree, port);
    return text ? text : json_fields_word(&reader->xml, port, "id");
}

void openvino_frame_free(struct openvino_frame *frame)
{
    names_free(&frame->ids);
    names_free(&frame->keys);
    memory_free_all(frame->layer.item, frame->port.item, frame->order);
}

static enum status add_ports(struct openvino_frame *frame, const char *id,
                             const struct json_value *list, uint32_t *count)
{
    struct openvino_reader *reader = frame->reader;
    struct text *key = &reader->assembly.name;
    XML_EACH(element, &reader->xml, list, "port")
    {
        const char *port = openvino_port_id(reader, element);
        key->length = 0;
        text_append(key, XML_END, id, port);
        TRY(text_check(key, reader->xml.error));
        if (names_find(&frame->keys, key->bytes) != NAMES_NONE)
            return json_document_fail(&reader->xml, element,
                                      "found port '%.60s' of layer '%.60s' twice, "
                                      "expected each once",
                                      port, id);
        TRY_ADD(frame->port, reader->xml.error,
                (struct openvino_port){
                    .element = element, .layer = frame->layer.count, .source = OPENVINO_NONE});
        TRY(names_add(&frame->keys, key->bytes, reader->xml.error));
        ++*count;
    }
    return STATUS_OK;
}

static enum status add_layer(struct openvino_frame *frame, const struct json_value *element)
{
    struct openvino_reader *reader = frame->reader;
    const struct json_reader *xml = &reader->xml;
    const char *id = json_fields_word(xml, element, "id");
    struct openvino_layer layer = {.element = element,
                                   .name = json_fields_word(xml, element, "name"),
                                   .type = json_fields_word(xml, element, "type"),
                                   .first_port = frame->keys.count};
    if (names_find(&frame->ids, id) != NAMES_NONE)
        return json_document_fail(xml, element, "found layer '%.60s' twice, expected each once",
                                  id);
    TRY(add_ports(frame, id, json_fields_get(xml, element, "input"), &layer.inputs));
    TRY(add_ports(frame, id, json_fields_get(xml, element, "output"), &layer.outputs));
    TRY_ADD(frame->layer, xml->error, layer);
    return names_add(&frame->ids, id, xml->error);
}

static enum status find_port(struct openvino_frame *frame, const struct json_value *end,
                             bool is_output, uint32_t *port)
{
    struct openvino_reader *reader = frame->reader;
    const char *key = json_tree_text(&reader->document->tree, end), *number = strchr(key, '\n');
    *port = names_find(&frame->keys, key);
    const struct openvino_layer *layer =
        *port == NAMES_NONE ? NULL : &frame->layer.item[frame->port.item[*port].layer];
    if (layer && (*port >= layer->first_port + layer->inputs) == is_output)
        return STATUS_OK;
    return json_document_fail(
        &reader->xml, end, "found an edge %s port '%.20s' of layer '%.*s', expected an %s port",
        is_output ? "from" : "to", number + 1, number - key < 60 ? (int)(number - key) : 60, key,
        is_output ? "output" : "input");
}

static enum status sort_layers(struct openvino_frame *frame, const struct json_value *edges)
{
    struct openvino_reader *reader = frame->reader;
    struct error *error = reader->xml.error;
    SCOPED(waits_free) struct waits waits = {.nodes = 0};
    uint32_t from = OPENVINO_NONE, to, done;
    TRY(waits_create(&waits, frame->layer.count, error));
    JSON_EACH(end, edges) {
        const char *key = json_tree_key(&reader->document->tree, end);
        if (strcmp(key, "from") == 0)
            TRY(find_port(frame, end, true, &from));
        if (strcmp(key, "to") != 0)
            continue;
        TRY(find_port(frame, end, false, &to));
        frame->port.item[to].source = from;
        TRY(waits_add(&waits, frame->port.item[from].layer, frame->port.item[to].layer, error));
    }
    names_free(&frame->keys);
    TRY(memory_create(&frame->order, frame->layer.count, sizeof *frame->order, error));
    TRY(waits_sort(&waits, frame->order, &done, error));
    return done == frame->layer.count
               ? STATUS_OK
               : json_document_fail(&reader->xml, edges,
                                    "found layers that wait for each other, expected no cycle");
}

enum status openvino_frame_open(struct openvino_reader *reader, const struct json_value *net,
                                bool is_body, struct openvino_frame *frame)
{
    const struct json_reader *xml = &reader->xml;
    *frame = (struct openvino_frame){.reader = reader, .is_body = is_body};
    XML_EACH(layer, xml, json_fields_get(xml, net, "layers"), "layer")
    TRY(add_layer(frame, layer));
    TRY(sort_layers(frame, json_fields_get(xml, net, "edges")));
    if (!is_body)
        names_free(&frame->ids);
    return STATUS_OK;
}

uint32_t openvino_find_layer(const struct openvino_frame *frame, const char *id)
{
    return names_find(&frame->ids, id);
}

enum status openvino_input(struct openvino_frame *frame, uint32_t layer, uint32_t input,
                           struct assembly_value **value, const char **name)
{
    const struct openvino_layer *reads = &frame->layer.item[layer];
    const struct json_reader *xml = &frame->reader->xml;
    uint32_t source =
        input < reads->inputs ? frame->port.item[reads->first_port + input].source : OPENVINO_NONE;
    if (source == OPENVINO_NONE || frame->port.item[source].value.kind == ASSEMBLY_UNKNOWN)
        return json_document_fail(
            xml, reads->element,
            "found no value for input %u of layer '%.60s', expected an edge to it", input,
            reads->name);
    *value = &frame->port.item[source].value;
    *name = frame->layer.item[frame->port.item[source].layer].name;
    *name = **name ? *name : "weight";
    return STATUS_OK;
}

/* A dimension of a port: a number, else what the user gives the input of the network,
   or assumes. */
static enum status read_dimension(const struct openvino_frame *frame, uint32_t port,
                                  const struct json_value *dim, const struct bound_shape *bound,
                                  uint32_t index, uint64_t *dimension)
{
    const struct openvino_reader *reader = frame->reader;
    const char *text = json_tree_text(&reader->document->tree, dim);
    bool is_number = text_parse_u64(text, strlen(text), dimension);
    if (bound && index < bound->rank) {
        if (is_number && *dimension != (uint64_t)bound->dimension[index])
            return error_set(
                reader->xml.error, STATUS_USAGE,
                "found %lld as dimension %u of '%s' in --bind, expected %llu as in the network",
                (long long)bound->dimension[index], index,
                frame->layer.item[frame->port.item[port].layer].name,
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
    return json_document_fail(
        &reader->xml, dim,
        "found dimension '%.20s' of layer '%.60s', expected a number; shapes are not "
        "inferred, so inputs that are open need a network reshaped in OpenVINO, or "
        "--assume-dim",
        text, frame->layer.item[frame->port.item[port].layer].name);
}

enum status openvino_shape(const struct openvino_frame *frame, uint32_t port,
                           struct assembly_shape *shape)
{
    const struct openvino_reader *reader = frame->reader;
    const struct json_reader *xml = &reader->xml;
    const struct json_value *element = frame->port.item[port].element;
    const struct openvino_layer *layer = &frame->layer.item[frame->port.item[port].layer];
    const char *precision = json_fields_word(xml, element, "precision");
    struct bound_shape bound;
    bool is_bound = false, fits;
    uint64_t bits, dimension;
    *shape = (struct assembly_shape){.rank = 0};
    if (!assembly_set_type(shape, element_type_called(precision)))
        return json_document_fail(xml, element,
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
                         "found %u dimensions of '%s' in --bind, expected the %u of the network",
                         bound.rank, layer->name, shape->rank);
    if (!fits)
        return json_document_fail(xml, element,
                                  "found more than 2^64 bits of layer '%.60s', expected fewer",
                                  layer->name);
    shape->bytes = bits / 8 + (bits % 8 != 0);
    shape->has_dtype &= shape->rank <= GRAPH_MOST_DIMENSIONS && shape->bytes > 0;
    return STATUS_OK;
}

enum status openvino_define(struct openvino_frame *frame, uint32_t port)
{
    const struct openvino_layer *layer = &frame->layer.item[frame->port.item[port].layer];
    struct assembly_shape shape;
    TRY(openvino_shape(frame, port, &shape));
    const char *name = *layer->name ? layer->name : layer->type;
    return assembly_define(&frame->reader->assembly, *name ? name : "layer", &shape,
                           &frame->port.item[port].value);
}
