#include "datasets/onnx/shapes/sizes.h"

#include "core/checked.h"
#include "datasets/assembly/types.h"
#include "datasets/onnx/shapes/types.h"
#include "planning/graph/graph.h"

uint32_t onnx_sizes_bits(int32_t element)
{
    const struct element_type *type = element_type_find(ELEMENT_ONNX, (uint32_t)element);
    return type ? type->bits : 0;
}

bool onnx_sizes_dtype(int32_t element, uint8_t *dtype)
{
    const struct element_type *type = element_type_find(ELEMENT_ONNX, (uint32_t)element);
    return type && element_type_dtype(type, dtype);
}

int64_t onnx_sizes_dimension(const struct onnx_model *model, const struct onnx_value *value,
                             uint32_t i)
{
    if (value->dimension[i] >= 0 || !model->options->assume_dimension)
        return value->dimension[i];
    return (int64_t)model->options->assume_dimension;
}

static enum status fail_untyped(const struct onnx_model *model, const char *name,
                                const struct onnx_value *value)
{
    if (value->kind == ONNX_NO_TENSOR)
        return error_set(model->error, STATUS_BAD_INPUT,
                         "found '%s', a sequence, an optional value or a map, expected a tensor, "
                         "which has a fixed size",
                         name);
    if (value->element == ONNX__TENSOR_PROTO__DATA_TYPE__STRING)
        return error_set(model->error, STATUS_BAD_INPUT,
                         "found strings in '%s', expected elements of a fixed size", name);
    if (value->element && !onnx_sizes_bits(value->element))
        return error_set(model->error, STATUS_BAD_INPUT,
                         "found element type %d of '%s', expected one with a size", value->element,
                         name);
    return error_set(model->error, STATUS_BAD_INPUT,
                     "found an unknown number of dimensions of '%s', expected shapes that follow "
                     "from those of the inputs: --bind NAME=1,2,3 gives the shape of an input",
                     name);
}

static enum status count_bytes(const struct onnx_model *model, const char *name,
                               const struct onnx_value *value, uint64_t *bytes)
{
    *bytes = onnx_sizes_bits(value->element) / 8;
    if (value->kind != ONNX_TENSOR || !*bytes || !value->has_rank)
        return fail_untyped(model, name, value);
    for (uint32_t i = 0; i < value->rank; i++) {
        int64_t dimension = onnx_sizes_dimension(model, value, i);
        if (dimension < 0)
            return error_set(model->error, STATUS_BAD_INPUT,
                             "found no size of dimension %u of '%s', expected one: --bind "
                             "NAME=1,2,3 gives the shape "
                             "of an input, --assume-dim N sets every unknown dimension to N",
                             i, name);
        if (!checked_multiply(*bytes, (uint64_t)dimension, bytes))
            return error_set(model->error, STATUS_BAD_INPUT,
                             "found '%s' of 2^64 bytes or more, expected fewer", name);
    }
    return STATUS_OK;
}

enum status onnx_sizes_get(const struct onnx_model *model, const char *name, uint64_t *bytes)
{
    const struct onnx_value *value = onnx_model_find(model, name);
    if (value->most_bytes) {
        *bytes = value->most_bytes;
        return STATUS_OK;
    }
    return count_bytes(model, name, value, bytes);
}

/* Bytes of what a branch yields as output i; false if they are not known. */
static bool get_yield(const struct onnx_model *model, const Onnx__GraphProto *branch, size_t i,
                      uint64_t *most)
{
    uint64_t bytes;
    if (!branch || i >= branch->n_output || onnx_sizes_get(model, branch->output[i]->name, &bytes))
        return false;
    *most = bytes > *most ? bytes : *most;
    return true;
}

/* What cannot be sized is an error only once it is used, so messages are not kept here. */
static void find_output(const struct onnx_model *model, const Onnx__NodeProto *node, size_t i)
{
    struct onnx_value *value = onnx_model_find(model, node->output[i]);
    uint64_t bytes, most = 0;
    if (!value || !get_yield(model, onnx_node_graph(node, "then_branch"), i, &most) ||
        !get_yield(model, onnx_node_graph(node, "else_branch"), i, &most))
        return;
    bool typed = onnx_types_is_complete(value) &&
                 count_bytes(model, node->output[i], value, &bytes) == STATUS_OK;
    if (!typed || bytes < most)
        value->most_bytes = most;
}

/* Inner Ifs first, as their outputs may be what a branch yields. */
static void find_graph(const struct onnx_model *model, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++) {
        const Onnx__NodeProto *node = graph->node[i];
        for (size_t j = 0; j < node->n_attribute; j++)
            if (node->attribute[j]->g)
                find_graph(model, node->attribute[j]->g);
        for (size_t j = 0; onnx_node_is(node, "If") && j < node->n_output; j++)
            find_output(model, node, j);
    }
}

void onnx_sizes_find(struct onnx_model *model)
{
    struct error ignored, *error = model->error;
    model->error = &ignored;
    find_graph(model, model->proto->graph);
    model->error = error;
}
