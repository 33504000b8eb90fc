#include "datasets/onnx/shapes/bind.h"

#include <string.h>

#include "core/text.h"
#include "datasets/onnx/shapes/types.h"

static enum status check_shape(const struct onnx_model *model, const char *bind,
                               const Onnx__TensorShapeProto *declared,
                               const struct bound_shape *shape)
{
    if (!declared)
        return STATUS_OK;
    if (declared->n_dim != shape->rank)
        return error_set(model->error, STATUS_USAGE,
                         "found %u dimensions in --bind '%s', expected the %zu of the file",
                         shape->rank, bind, declared->n_dim);
    for (uint32_t i = 0; i < shape->rank; i++) {
        const Onnx__TensorShapeProto__Dimension *dimension = declared->dim[i];
        if (dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
            dimension->dim_value > 0 && dimension->dim_value != shape->dimension[i])
            return error_set(
                model->error, STATUS_USAGE,
                "found %lld as dimension %u in --bind '%s', expected %lld as in the file",
                (long long)shape->dimension[i], i, bind, (long long)dimension->dim_value);
    }
    return STATUS_OK;
}

static enum status bind_input(struct onnx_model *model, const char *bind)
{
    const Onnx__GraphProto *graph = model->proto->graph;
    struct bound_shape shape;
    TRY(bound_shape_parse(bind, &shape, model->error));
    SCOPED(text_free) struct text known = {0};
    size_t i = 0;
    for (; i < graph->n_input; i++) {
        const char *name = graph->input[i]->name ? graph->input[i]->name : "";
        if (strlen(name) == shape.name_bytes && strncmp(name, bind, shape.name_bytes) == 0)
            break;
        text_append(&known, "%s%s", i ? ", " : "", name);
    }
    if (i == graph->n_input)
        return bound_shape_refuse(&shape, known.bytes, model->error);
    const Onnx__TypeProto__Tensor *type = onnx_types_tensor(graph->input[i]);
    if (!type)
        return error_set(model->error, STATUS_USAGE,
                         "found an input that is no tensor in --bind '%s', expected a tensor",
                         bind);
    TRY(check_shape(model, bind, type->shape, &shape));
    struct onnx_value value = {.has_rank = true, .rank = shape.rank, .element = type->elem_type};
    memcpy(value.dimension, shape.dimension, sizeof value.dimension);
    return onnx_types_set(model, graph->input[i], &value);
}

static void set_dimension(Onnx__TensorShapeProto__Dimension *dimension, uint64_t value)
{
    dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
    dimension->dim_value = (int64_t)value;
}

/* Gives all dimensions of this name their value. */
static enum status bind_dimension(struct onnx_model *model, const char *name, uint64_t value)
{
    const Onnx__GraphProto *graph = model->proto->graph;
    SCOPED(text_free) struct text known = {0};
    bool found = false;
    for (size_t i = 0; i < graph->n_input; i++) {
        const Onnx__TypeProto__Tensor *type = onnx_types_tensor(graph->input[i]);
        for (size_t d = 0; type && type->shape && d < type->shape->n_dim; d++) {
            Onnx__TensorShapeProto__Dimension *dimension = type->shape->dim[d];
            if (dimension->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
                continue;
            text_append(&known, " '%s'", dimension->dim_param);
            if (strcmp(dimension->dim_param, name) != 0)
                continue;
            found = true;
            set_dimension(dimension, value);
        }
    }
    return found ? STATUS_OK
                 : error_set(model->error, STATUS_BAD_INPUT,
                             "found no dimension of an input called '%s', expected one of:%s", name,
                             known.length ? known.bytes : " none, as no dimension has a name");
}

enum status onnx_bind_inputs(struct onnx_model *model)
{
    const struct model_options *options = model->options;
    const Onnx__GraphProto *graph = model->proto->graph;
    for (uint32_t i = 0; i < options->binds; i++)
        TRY(bind_input(model, options->bind[i]));
    for (uint32_t i = 0; options->dimension && i < options->dimension->count; i++)
        TRY(bind_dimension(model, names_get(options->dimension, i), options->value[i]));
    for (size_t i = 0; options->assume_dimension && i < graph->n_input; i++) {
        Onnx__TypeProto__Tensor *type = onnx_types_tensor(graph->input[i]);
        for (size_t d = 0; type && type->shape && d < type->shape->n_dim; d++) {
            Onnx__TensorShapeProto__Dimension *dimension = type->shape->dim[d];
            if (dimension->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
                dimension->dim_value >= 0)
                continue;
            set_dimension(dimension, options->assume_dimension);
        }
    }
    return STATUS_OK;
}
