/* Layers with bodies. A body sees nothing of the network around it: its port map says which of its
   Parameters stand for which inputs of the layer, and which Results for its outputs. */

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/openvino/reader.h"

struct body {
    struct openvino_frame *outer;
    struct openvino_frame frame;
    const struct json_value *map, *back_edges;
    uint32_t layer, op;
    struct assembly_list yields;
    struct assembly_list
        carried; /* Results of the body whose value goes on, in the order of carried values */
};

static void free_body(struct body *body)
{
    openvino_frame_free(&body->frame);
    assembly_list_free(&body->yields);
    assembly_list_free(&body->carried);
}

static const struct json_reader *xml_of(const struct body *body)
{
    return &body->outer->reader->xml;
}

static enum status open_body(struct openvino_frame *outer, uint32_t layer, const char *body_name,
                             const char *map_name, struct body *body)
{
    struct openvino_reader *reader = outer->reader;
    const struct json_reader *xml = &reader->xml;
    const struct json_value *element = outer->layer.item[layer].element;
    *body = (struct body){.outer = outer,
                          .layer = layer,
                          .map = json_fields_get(xml, element, map_name),
                          .back_edges = json_fields_get(xml, element, "back_edges")};
    const struct json_value *inner = json_fields_get(xml, element, body_name);
    if (!inner || reader->depth == OPENVINO_MOST_DEPTH)
        return json_document_fail(
            xml, element, "found %s '%.60s' %s, expected one of less than %d in each other",
            outer->layer.item[layer].type, outer->layer.item[layer].name,
            inner ? "nested too deep" : "without its body", OPENVINO_MOST_DEPTH);
    return openvino_frame_open(reader, inner, true, &body->frame);
}

/* The port of the layer of the body that a row of a map names: a Parameter's output, or what a
   Result reads. */
static enum status find_inner(const struct body *body, const struct json_value *row,
                              const char *key, bool is_result, uint32_t *port)
{
    const struct json_reader *xml = xml_of(body);
    const struct openvino_frame *frame = &body->frame;
    uint32_t layer = openvino_find_layer(frame, json_fields_word(xml, row, key));
    const struct openvino_layer *found = layer == NAMES_NONE ? NULL : &frame->layer.item[layer];
    *port = OPENVINO_NONE;
    if (found && is_result && found->inputs)
        *port = frame->port.item[found->first_port].source;
    else if (found && !is_result && found->outputs)
        *port = found->first_port + found->inputs;
    if (*port != OPENVINO_NONE)
        return STATUS_OK;
    return json_document_fail(xml, row, "found %s='%.20s', expected a %s of the body", key,
                              json_fields_word(xml, row, key), is_result ? "Result" : "Parameter");
}

/* The input or output of the layer that a row names. Those of outputs count by their order alone:
   writers number them from 0, or behind the inputs. */
static enum status find_outer(const struct body *body, const struct json_value *row, bool is_output,
                              uint32_t *index)
{
    const struct json_reader *xml = xml_of(body);
    const struct openvino_layer *layer = &body->outer->layer.item[body->layer];
    const char *text = json_fields_word(xml, row, "external_port_id");
    long number = strtol(text, NULL, 10), other;
    *index = 0;
    if (!is_output) {
        for (; *index < layer->inputs; ++*index) {
            const struct json_value *port =
                body->outer->port.item[layer->first_port + *index].element;
            if (strcmp(openvino_port_id(body->outer->reader, port), text) == 0)
                return STATUS_OK;
        }
    } else {
        XML_EACH(each, xml, body->map, "output")
        {
            other = strtol(json_fields_word(xml, each, "external_port_id"), NULL, 10);
            *index += other >= 0 && other < number;
        }
        if (*index < layer->outputs)
            return STATUS_OK;
    }
    return json_document_fail(xml, row,
                              "found external_port_id='%.20s', expected an %s of the layer", text,
                              is_output ? "output" : "input");
}

static bool has(const struct body *body, const struct json_value *row, const char *key)
{
    return *json_fields_word(xml_of(body), row, key) != '\0';
}

static bool is_connected(const struct body *body, const struct json_value *row)
{
    return strtol(json_fields_word(xml_of(body), row, "external_port_id"), NULL, 10) >= 0;
}

/* The edge that brings a value of one turn to this Parameter of the next. */
static const struct json_value *find_back_edge(const struct body *body, const char *key,
                                               const char *id)
{
    const struct json_reader *xml = xml_of(body);
    XML_EACH(edge, xml, body->back_edges, "edge")
    if (strcmp(json_fields_word(xml, edge, key), id) == 0)
        return edge;
    return NULL;
}

/* The output of the layer that has the last value of this Result, whole; OPENVINO_NONE for none. */
static enum status find_result(const struct body *body, const char *result, uint32_t *output)
{
    const struct json_reader *xml = xml_of(body);
    *output = OPENVINO_NONE;
    XML_EACH(row, xml, body->map, "output")
    if (*output == OPENVINO_NONE && is_connected(body, row) && !has(body, row, "axis") &&
        strcmp(json_fields_word(xml, row, "internal_layer_id"), result) == 0)
        TRY(find_outer(body, row, true, output));
    return STATUS_OK;
}

/* A value goes round: it is a tensor of its own in the body. */
static enum status add_carried(struct body *body, const struct json_value *row,
                               const struct json_value *edge)
{
    struct assembly *assembly = &body->outer->reader->assembly;
    const struct openvino_layer *layer = &body->outer->layer.item[body->layer];
    const char *result = json_fields_word(xml_of(body), edge, "from-layer"), *name;
    struct graph_carried carried;
    struct assembly_value *init;
    uint32_t input, parameter, yield, output;
    TRY(find_outer(body, row, false, &input));
    TRY(find_inner(body, row, "internal_layer_id", false, &parameter));
    TRY(find_inner(body, edge, "from-layer", true, &yield));
    TRY(openvino_input(body->outer, body->layer, input, &init, &name));
    TRY(assembly_tensor(assembly, init, name, &carried.init));
    TRY(find_result(body, result, &output));
    TRY(openvino_define(&body->frame, parameter));
    carried.argument = carried.yield = body->frame.port.item[parameter].value.tensor;
    const struct graph_tensor_spec spec = {.bytes =
                                               assembly->graph->tensor[carried.argument].bytes};
    if (output != OPENVINO_NONE &&
        body->outer->port.item[layer->first_port + layer->inputs + output].value.kind ==
            ASSEMBLY_UNKNOWN) {
        uint32_t port = layer->first_port + layer->inputs + output;
        TRY(openvino_define(body->outer, port));
        carried.result = body->outer->port.item[port].value.tensor;
    } else {
        TRY(assembly_add_tensor(assembly, "result", spec, &carried.result));
    }
    TRY(assembly_write(assembly, carried.result));
    TRY(assembly_list_add(assembly, &body->carried, yield));
    return graph_operator_carried(assembly->graph, &carried, assembly->error);
}

/* Lets each Parameter stand for what the map says. Slices, and the number of the turn, are written
   at the beginning of each turn: see begin_turn. */
static enum status bind_parameters(struct body *body)
{
    const struct json_reader *xml = xml_of(body);
    XML_EACH(row, xml, body->map, "input")
    {
        const char *id = json_fields_word(xml, row, "internal_layer_id"), *name;
        const struct json_value *edge = find_back_edge(body, "to-layer", id);
        struct assembly_value *value;
        uint32_t input, parameter;
        if (!is_connected(body, row) || has(body, row, "axis"))
            continue;
        if (edge) {
            TRY(add_carried(body, row, edge));
            continue;
        }
        TRY(find_outer(body, row, false, &input));
        TRY(find_inner(body, row, "internal_layer_id", false, &parameter));
        TRY(openvino_input(body->outer, body->layer, input, &value, &name));
        body->frame.port.item[parameter].value = *value;
    }
    return STATUS_OK;
}

static enum status begin_turn(struct body *body)
{
    struct assembly *assembly = &body->outer->reader->assembly;
    const struct json_reader *xml = xml_of(body);
    XML_EACH(row, xml, body->map, "input")
    {
        struct assembly_value *value;
        const char *name;
        uint32_t input, parameter, op;
        if (is_connected(body, row) && !has(body, row, "axis"))
            continue;
        TRY(find_inner(body, row, "internal_layer_id", false, &parameter));
        TRY(assembly_open(assembly, is_connected(body, row) ? "slice" : "turn",
                          is_connected(body, row) ? "slice" : "turn", &op));
        if (is_connected(body, row)) {
            TRY(find_outer(body, row, false, &input));
            TRY(openvino_input(body->outer, body->layer, input, &value, &name));
            TRY(assembly_read(assembly, value, name));
        }
        TRY(openvino_define(&body->frame, parameter));
        TRY(assembly_write(assembly, body->frame.port.item[parameter].value.tensor));
        TRY(assembly_close(assembly));
    }
    return STATUS_OK;
}

/* Appends the tensor that a port of the body stands for at its end. */
static enum status add_yield(struct body *body, uint32_t port)
{
    const char *name = body->frame.layer.item[body->frame.port.item[port].layer].name;
    struct assembly *assembly = &body->outer->reader->assembly;
    uint32_t tensor;
    TRY(assembly_tensor(assembly, &body->frame.port.item[port].value, *name ? name : "weight",
                        &tensor));
    return assembly_list_add(assembly, &body->yields, tensor);
}

/* The yields of a body: the values that go on, and those that the layer gives out of each turn,
   with the condition for the next one. */
static enum status list_yields(struct body *body)
{
    for (uint32_t i = 0; i < body->carried.count; i++)
        TRY(add_yield(body, body->carried.item[i]));
    XML_EACH(row, xml_of(body), body->map, "output")
    {
        uint32_t port;
        TRY(find_inner(body, row, "internal_layer_id", true, &port));
        TRY(add_yield(body, port));
    }
    return STATUS_OK;
}

/* How often a loop with slices turns: as often as they fit into what is sliced. */
static enum status find_turns(struct body *body, int64_t *turns)
{
    const struct json_reader *xml = xml_of(body);
    *turns = -1;
    XML_EACH(row, xml, body->map, "input")
    {
        const struct openvino_layer *layer = &body->outer->layer.item[body->layer];
        struct assembly_shape whole, slice;
        uint32_t input, parameter;
        long axis = strtol(json_fields_word(xml, row, "axis"), NULL, 10);
        if (!has(body, row, "axis") || !is_connected(body, row) || *turns >= 0)
            continue;
        TRY(find_outer(body, row, false, &input));
        TRY(find_inner(body, row, "internal_layer_id", false, &parameter));
        uint32_t source = body->outer->port.item[layer->first_port + input].source;
        if (source == OPENVINO_NONE)
            return STATUS_OK;
        TRY(openvino_shape(body->outer, source, &whole));
        TRY(openvino_shape(&body->frame, parameter, &slice));
        if (axis >= 0 && axis < GRAPH_MOST_DIMENSIONS && whole.rank == slice.rank &&
            (uint32_t)axis < slice.rank && slice.dimension[axis] &&
            whole.dimension[axis] / slice.dimension[axis] <= INT64_MAX)
            *turns = (int64_t)(whole.dimension[axis] / slice.dimension[axis]);
    }
    return STATUS_OK;
}

static enum status fill_loop(struct body *body)
{
    struct assembly *assembly = &body->outer->reader->assembly;
    size_t before;
    bool is_loop = strcmp(body->outer->layer.item[body->layer].type, "Loop") == 0;
    TRY(openvino_open_layer(body->outer, body->layer, is_loop ? 2 : 0, &body->op));
    assembly->graph->op[body->op].loop = true;
    TRY(find_turns(body, &assembly->graph->op[body->op].trip_count));
    TRY(bind_parameters(body));
    TRY(openvino_write_outputs(body->outer, body->layer, true));
    TRY(assembly_head(assembly));
    TRY(assembly_enter(assembly, body->op, "body", &before));
    TRY(begin_turn(body));
    TRY(openvino_add_layers(&body->frame));
    TRY(list_yields(body));
    TRY(assembly_leave_body(assembly, body->op, before, &body->yields));
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}

enum status openvino_add_loop(struct openvino_frame *frame, uint32_t layer)
{
    SCOPED(free_body) struct body body = {.outer = NULL};
    TRY(open_body(frame, layer, "body", "port_map", &body));
    frame->reader->depth++;
    enum status status = fill_loop(&body);
    frame->reader->depth--;
    return status;
}

/* A branch yields the outputs of the layer in their order. */
static enum status fill_branch(struct body *body, const char *name)
{
    struct assembly *assembly = &body->outer->reader->assembly;
    const struct openvino_layer *layer = &body->outer->layer.item[body->layer];
    size_t before;
    TRY(bind_parameters(body));
    TRY(assembly_enter(assembly, body->op, name, &before));
    TRY(openvino_add_layers(&body->frame));
    for (uint32_t i = 0; i < layer->outputs; i++)
        TRY(assembly_list_add(assembly, &body->yields, GRAPH_NONE));
    XML_EACH(row, xml_of(body), body->map, "output")
    {
        uint32_t port, output;
        TRY(find_outer(body, row, true, &output));
        TRY(find_inner(body, row, "internal_layer_id", true, &port));
        TRY(add_yield(body, port));
        body->yields.item[output] = body->yields.item[--body->yields.count];
    }
    return assembly_leave_branch(assembly, body->op, before, &body->yields);
}

enum status openvino_add_if(struct openvino_frame *frame, uint32_t layer)
{
    static const char *const names[][3] = {{"then", "then_body", "then_port_map"},
                                           {"else", "else_body", "else_port_map"}};
    struct assembly *assembly = &frame->reader->assembly;
    uint32_t op = GRAPH_NONE;
    for (int i = 0; i < 2; i++) {
        SCOPED(free_body) struct body body = {.outer = NULL};
        TRY(open_body(frame, layer, names[i][1], names[i][2], &body));
        if (i == 0) {
            TRY(openvino_open_layer(frame, layer, 1, &op));
            TRY(openvino_write_outputs(frame, layer, true));
            TRY(assembly_head(assembly));
        }
        body.op = op;
        frame->reader->depth++;
        enum status status = fill_branch(&body, names[i][0]);
        frame->reader->depth--;
        TRY(status);
    }
    graph_close_operator(assembly->graph);
    return STATUS_OK;
}
