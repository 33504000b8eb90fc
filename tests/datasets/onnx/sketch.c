#include "datasets/onnx/sketch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept[4096];
static size_t kept_count;

static void free_kept(void)
{
    for (size_t i = 0; i < kept_count; i++)
        free(kept[i]);
}

void *sketch_keep(size_t bytes)
{
    if (!kept_count)
        atexit(free_kept);
    char *block = calloc(1, bytes ? bytes : 1);
    if (!block || kept_count == sizeof kept / sizeof *kept)
        abort();
    return kept[kept_count++] = block;
}

static char *keep_text(const char *text, size_t length)
{
    return memcpy(sketch_keep(length + 1), text, length);
}

/* Words of a text; "-" becomes "". */
static size_t split(const char *text, char ***words)
{
    size_t count = 0;
    *words = sketch_keep(SKETCH_MOST * sizeof **words);
    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        (*words)[count++] = keep_text(at, length == 1 && *at == '-' ? 0 : length);
        at += length;
    }
    return count;
}

struct sketch *sketch_create(void)
{
    struct sketch *sketch = sketch_keep(sizeof *sketch);
    onnx__graph_proto__init(&sketch->graph);
    sketch->graph.name = keep_text("sketch", 6);
    sketch->graph.node = sketch->node;
    sketch->graph.input = sketch->input;
    sketch->graph.output = sketch->output;
    sketch->graph.initializer = sketch->initializer;
    return sketch;
}

Onnx__NodeProto *sketch_make_node(const char *type, const char *inputs, const char *outputs)
{
    Onnx__NodeProto *node = sketch_keep(sizeof *node);
    onnx__node_proto__init(node);
    node->op_type = keep_text(type, strlen(type));
    node->n_input = split(inputs, &node->input);
    node->n_output = split(outputs, &node->output);
    node->attribute = sketch_keep(SKETCH_MOST * sizeof *node->attribute);
    return node;
}

Onnx__NodeProto *sketch_node(struct sketch *sketch, const char *type, const char *inputs,
                             const char *outputs)
{
    return sketch->node[sketch->graph.n_node++] = sketch_make_node(type, inputs, outputs);
}

static Onnx__AttributeProto *add_attribute(Onnx__NodeProto *node, const char *name, int type)
{
    Onnx__AttributeProto *attribute = sketch_keep(sizeof *attribute);
    onnx__attribute_proto__init(attribute);
    attribute->name = keep_text(name, strlen(name));
    attribute->has_type = 1;
    attribute->type = (Onnx__AttributeProto__AttributeType)type;
    return node->attribute[node->n_attribute++] = attribute;
}

void sketch_graph(Onnx__NodeProto *node, const char *name, struct sketch *inner)
{
    add_attribute(node, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH)->g = &inner->graph;
}

void sketch_integer(Onnx__NodeProto *node, const char *name, int64_t value)
{
    Onnx__AttributeProto *attribute =
        add_attribute(node, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
    attribute->has_i = 1;
    attribute->i = value;
}

static Onnx__TensorShapeProto *make_shape(const char *text)
{
    Onnx__TensorShapeProto *shape = sketch_keep(sizeof *shape);
    char **words;
    onnx__tensor_shape_proto__init(shape);
    shape->n_dim = split(text, &words);
    shape->dim = sketch_keep(SKETCH_MOST * sizeof *shape->dim);
    for (size_t i = 0; i < shape->n_dim; i++) {
        Onnx__TensorShapeProto__Dimension *dimension = sketch_keep(sizeof *dimension);
        onnx__tensor_shape_proto__dimension__init(dimension);
        bool number = words[i][0] >= '0' && words[i][0] <= '9';
        dimension->value_case = number ? ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE
                                       : ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
        if (number)
            dimension->dim_value = atoll(words[i]);
        else
            dimension->dim_param = words[i];
        shape->dim[i] = dimension;
    }
    return shape;
}

static Onnx__ValueInfoProto *make_info(const char *name, int element, const char *shape)
{
    Onnx__ValueInfoProto *info = sketch_keep(sizeof *info);
    Onnx__TypeProto *type = sketch_keep(sizeof *type);
    Onnx__TypeProto__Tensor *tensor = sketch_keep(sizeof *tensor);
    onnx__value_info_proto__init(info);
    onnx__type_proto__init(type);
    onnx__type_proto__tensor__init(tensor);
    info->name = keep_text(name, strlen(name));
    info->type = type;
    type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    type->tensor_type = tensor;
    tensor->has_elem_type = 1;
    tensor->elem_type = element;
    tensor->shape = shape ? make_shape(shape) : NULL;
    return info;
}

void sketch_input(struct sketch *sketch, const char *name, int element, const char *shape)
{
    sketch->input[sketch->graph.n_input++] = make_info(name, element, shape);
}

void sketch_output(struct sketch *sketch, const char *name, int element, const char *shape)
{
    sketch->output[sketch->graph.n_output++] = make_info(name, element, shape);
}

static Onnx__TensorProto *add_tensor(struct sketch *sketch, const char *name, int element,
                                     const char *shape)
{
    Onnx__TensorProto *tensor = sketch_keep(sizeof *tensor);
    char **words;
    onnx__tensor_proto__init(tensor);
    tensor->name = keep_text(name, strlen(name));
    tensor->has_data_type = 1;
    tensor->data_type = element;
    tensor->n_dims = split(shape, &words);
    tensor->dims = sketch_keep(SKETCH_MOST * sizeof *tensor->dims);
    for (size_t i = 0; i < tensor->n_dims; i++)
        tensor->dims[i] = atoll(words[i]);
    return sketch->initializer[sketch->graph.n_initializer++] = tensor;
}

void sketch_floats(struct sketch *sketch, const char *name, const char *shape)
{
    add_tensor(sketch, name, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, shape);
}

void sketch_integers(struct sketch *sketch, const char *name, int count, const int64_t *values)
{
    char shape[16];
    snprintf(shape, sizeof shape, "%d", count);
    Onnx__TensorProto *tensor =
        add_tensor(sketch, name, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, shape);
    tensor->n_int64_data = (size_t)count;
    tensor->int64_data = sketch_keep((size_t)count * sizeof *values);
    memcpy(tensor->int64_data, values, (size_t)count * sizeof *values);
}

static Onnx__OperatorSetIdProto *make_import(const char *domain, int64_t version)
{
    Onnx__OperatorSetIdProto *import = sketch_keep(sizeof *import);
    onnx__operator_set_id_proto__init(import);
    import->domain = keep_text(domain, strlen(domain));
    import->has_version = 1;
    import->version = version;
    return import;
}

struct text sketch_pack(struct sketch *sketch)
{
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    Onnx__OperatorSetIdProto *imports[] = {make_import("", 15), make_import("own", 1)};
    struct text text = {0};
    model.has_ir_version = 1;
    model.ir_version = 8;
    model.n_opset_import = 2;
    model.opset_import = imports;
    model.graph = &sketch->graph;
    model.n_functions = sketch->function ? 1 : 0;
    model.functions = &sketch->function;
    size_t bytes = onnx__model_proto__get_packed_size(&model);
    uint8_t *packed = sketch_keep(bytes);
    onnx__model_proto__pack(&model, packed);
    text_append_bytes(&text, (const char *)packed, bytes);
    return text;
}
