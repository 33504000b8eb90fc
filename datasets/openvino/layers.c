#include <string.h>

#include "datasets/openvino/reader.h"

enum rule { PLAIN, VIEW, POINTWISE };

static enum rule find_rule(const char *type)
{
    static const struct {
        const char *type;
        enum rule rule;
    } rows[] = {
#define LAYER(type, rule) {#type, rule},
#include "datasets/openvino/layers.def"
#undef LAYER
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0)
            return rows[i].rule;
    return PLAIN;
}

/* The body's parameters stand already for what they are given. */
static enum status add_parameter(struct openvino_frame *frame, uint32_t layer)
{
    struct openvino_reader *reader = frame->reader;
    const struct openvino_layer *parameter = &frame->layer.item[layer];
    if (!parameter->outputs)
        return json_document_fail(&reader->xml, parameter->element,
                                  "found a Parameter without output, expected one");
    struct assembly_value *value =
        &frame->port.item[parameter->first_port + parameter->inputs].value;
    if (frame->is_body)
        return value->kind != ASSEMBLY_UNKNOWN
                   ? STATUS_OK
                   : json_document_fail(
                         &reader->xml, parameter->element,
                         "found Parameter '%.60s', which the port map does not name, expected "
                         "it there",
                         parameter->name);
    TRY(openvino_define(frame, parameter->first_port + parameter->inputs));
    TRY(names_add(&reader->input_names, parameter->name, reader->xml.error));
    return assembly_list_add(&reader->assembly, &reader->inputs, value->tensor);
}

static enum status add_constant(struct openvino_frame *frame, uint32_t layer)
{
    const struct openvino_layer *constant = &frame->layer.item[layer];
    for (uint32_t i = 0; i < constant->outputs; i++) {
        uint32_t port = constant->first_port + constant->inputs + i;
        struct assembly_shape shape;
        TRY(openvino_shape(frame, port, &shape));
        frame->port.item[port].value = assembly_weight(&shape, 0);
    }
    return STATUS_OK;
}

/* What depends on constants alone is computed when the network is loaded, and is a weight. */
static bool is_constant(const struct openvino_frame *frame, const struct openvino_layer *layer)
{
    for (uint32_t i = 0; i < layer->inputs; i++) {
        uint32_t source = frame->port.item[layer->first_port + i].source;
        if (source == OPENVINO_NONE || frame->port.item[source].value.kind != ASSEMBLY_WEIGHT)
            return false;
    }
    return layer->inputs > 0;
}

enum status openvino_open_layer(struct openvino_frame *frame, uint32_t layer, uint32_t inputs,
                                uint32_t *op)
{
    const struct openvino_layer *opened = &frame->layer.item[layer];
    const char *type = *opened->type ? opened->type : "layer";
    TRY(assembly_open(&frame->reader->assembly, *opened->name ? opened->name : type, type, op));
    for (uint32_t i = 0; i < inputs && i < opened->inputs; i++) {
        struct assembly_value *value;
        const char *name;
        TRY(openvino_input(frame, layer, i, &value, &name));
        TRY(assembly_read(&frame->reader->assembly, value, name));
    }
    return STATUS_OK;
}

enum status openvino_write_outputs(struct openvino_frame *frame, uint32_t layer, bool is_rest)
{
    const struct openvino_layer *written = &frame->layer.item[layer];
    for (uint32_t i = 0; i < written->outputs; i++) {
        uint32_t port = written->first_port + written->inputs + i;
        if (is_rest && frame->port.item[port].value.kind != ASSEMBLY_UNKNOWN)
            continue;
        TRY(openvino_define(frame, port));
        TRY(assembly_write(&frame->reader->assembly, frame->port.item[port].value.tensor));
    }
    return STATUS_OK;
}

/* Inputs with as many elements of the same size may be overwritten. */
static enum status add_overwritten(struct openvino_frame *frame, uint32_t layer)
{
    const struct openvino_layer *written = &frame->layer.item[layer];
    uint32_t output = written->first_port + written->inputs, position = 0;
    struct assembly_shape to, from;
    TRY(openvino_shape(frame, output, &to));
    for (uint32_t i = 0; i < written->inputs; i++) {
        uint32_t source = frame->port.item[written->first_port + i].source;
        TRY(openvino_shape(frame, source, &from));
        TRY(assembly_may_overwrite(&frame->reader->assembly, &frame->port.item[source].value, &from,
                                   &to, &position));
    }
    return STATUS_OK;
}

static enum status add_plain(struct openvino_frame *frame, uint32_t layer)
{
    const struct openvino_layer *added = &frame->layer.item[layer];
    struct assembly *assembly = &frame->reader->assembly;
    enum rule rule = find_rule(added->type);
    struct assembly_value *value;
    const char *name;
    uint32_t op;
    if (is_constant(frame, added))
        return add_constant(frame, layer);
    if (rule == VIEW && added->outputs == 1) {
        TRY(openvino_input(frame, layer, 0, &value, &name));
        frame->port.item[added->first_port + added->inputs].value = *value;
        return STATUS_OK;
    }
    TRY(openvino_open_layer(frame, layer, UINT32_MAX, &op));
    TRY(openvino_write_outputs(frame, layer, false));
    if (rule == POINTWISE && added->outputs == 1)
        TRY(add_overwritten(frame, layer));
    return assembly_close(assembly);
}

/* The tensor of a variable, which keeps its value from run to run. */
static enum status find_variable(struct openvino_frame *frame, uint32_t layer, uint32_t *tensor)
{
    struct openvino_reader *reader = frame->reader;
    const struct openvino_layer *user = &frame->layer.item[layer];
    const char *id = json_fields_word(
        &reader->xml, json_fields_get(&reader->xml, user->element, "data"), "variable_id");
    uint32_t found = names_find(&reader->variables, id);
    if (found != NAMES_NONE) {
        *tensor = reader->variable.item[found];
        return STATUS_OK;
    }
    uint32_t port = user->outputs  ? user->first_port + user->inputs
                    : user->inputs ? frame->port.item[user->first_port].source
                                   : OPENVINO_NONE;
    struct assembly_shape shape;
    if (port == OPENVINO_NONE)
        return json_document_fail(&reader->xml, user->element,
                                  "found %.20s without a value, expected an edge to it",
                                  user->type);
    TRY(openvino_shape(frame, port, &shape));
    const struct graph_tensor_spec spec = {.bytes = shape.bytes ? shape.bytes : 1};
    TRY(assembly_add_tensor(&reader->assembly, *id ? id : "variable", spec, tensor));
    TRY(names_add(&reader->variables, id, reader->xml.error));
    return assembly_list_add(&reader->assembly, &reader->variable, *tensor);
}

/* Assign copies its input into the variable, ReadValue the variable into its output. */
static enum status add_variable(struct openvino_frame *frame, uint32_t layer)
{
    struct assembly *assembly = &frame->reader->assembly;
    uint32_t op, tensor;
    TRY(find_variable(frame, layer, &tensor));
    TRY(openvino_open_layer(frame, layer, UINT32_MAX, &op));
    TRY(assembly_list_add(assembly, &assembly->inputs, tensor));
    TRY(openvino_write_outputs(frame, layer, false));
    return assembly_close(assembly);
}

static enum status skip(struct openvino_frame *frame, uint32_t layer)
{
    (void)frame, (void)layer;
    return STATUS_OK;
}

static enum status add_layer(struct openvino_frame *frame, uint32_t layer)
{
    static const struct {
        const char *type;
        enum status (*add)(struct openvino_frame *frame, uint32_t layer);
    } special[] = {
        {"Parameter", add_parameter},
        {"Const", add_constant},
        {"Result", skip},
        {"ReadValue", add_variable},
        {"Assign", add_variable},
        {"Loop", openvino_add_loop},
        {"TensorIterator", openvino_add_loop},
        {"If", openvino_add_if},
    };
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i].type, frame->layer.item[layer].type) == 0)
            return special[i].add(frame, layer);
    return add_plain(frame, layer);
}

enum status openvino_add_layers(struct openvino_frame *frame)
{
    for (uint32_t i = 0; i < frame->layer.count; i++)
        TRY(json_document_place(&frame->reader->xml, frame->layer.item[frame->order[i]].element,
                                add_layer(frame, frame->order[i])));
    return STATUS_OK;
}
