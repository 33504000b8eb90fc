#include "datasets/onnx/fold/fold.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/onnx/fold/rows.h"

/* In alphabetical order, since it is searched by bisection. To fold a further operator: a row. */
static const struct row {
    const char *type;
    onnx_fold_row *fold;
} rows[] = {
    {"Abs", onnx_fold_unary},           {"Add", onnx_fold_binary},
    {"And", onnx_fold_binary},          {"Cast", onnx_fold_cast},
    {"Ceil", onnx_fold_unary},          {"Concat", onnx_fold_concat},
    {"Constant", onnx_fold_constant},   {"ConstantOfShape", onnx_fold_constant_of_shape},
    {"Div", onnx_fold_binary},          {"Equal", onnx_fold_binary},
    {"Floor", onnx_fold_unary},         {"Gather", onnx_fold_gather},
    {"Greater", onnx_fold_binary},      {"GreaterOrEqual", onnx_fold_binary},
    {"Identity", onnx_fold_identity},   {"Less", onnx_fold_binary},
    {"LessOrEqual", onnx_fold_binary},  {"Max", onnx_fold_binary},
    {"Min", onnx_fold_binary},          {"Mod", onnx_fold_binary},
    {"Mul", onnx_fold_binary},          {"Neg", onnx_fold_unary},
    {"Not", onnx_fold_unary},           {"Or", onnx_fold_binary},
    {"Range", onnx_fold_range},         {"ReduceMax", onnx_fold_reduce},
    {"ReduceMin", onnx_fold_reduce},    {"ReduceProd", onnx_fold_reduce},
    {"ReduceSum", onnx_fold_reduce},    {"Reshape", onnx_fold_reshape},
    {"Shape", onnx_fold_shape},         {"Size", onnx_fold_size},
    {"Slice", onnx_fold_slice},         {"Squeeze", onnx_fold_squeeze},
    {"Sub", onnx_fold_binary},          {"Transpose", onnx_fold_transpose},
    {"Unsqueeze", onnx_fold_unsqueeze}, {"Where", onnx_fold_where},
};

static int compare_type(const void *type, const void *row)
{
    return strcmp(type, ((const struct row *)row)->type);
}

const struct onnx_number *onnx_fold_input(const struct onnx_fold *fold, size_t i)
{
    const struct onnx_value *value = onnx_model_find(fold->model, onnx_node_input(fold->node, i));
    return value ? value->number : NULL;
}

bool onnx_fold_axes(const struct onnx_fold *fold, size_t i, const int64_t **axes, size_t *count)
{
    const Onnx__AttributeProto *attribute = onnx_node_attribute(fold->node, "axes");
    const struct onnx_number *number = onnx_fold_input(fold, i);
    *axes = NULL;
    *count = 0;
    if (attribute) {
        *axes = attribute->ints;
        *count = attribute->n_ints;
    } else if (*onnx_node_input(fold->node, i)) {
        if (!number || !onnx_number_is_known(number))
            return false;
        *axes = number->item;
        *count = number->count;
    }
    return true;
}

/* Folds the nodes of a graph in execution order, inner graphs at their place, so that everything
   they read has been folded before. */
static enum status fold_graph(struct onnx_model *model, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_initializer; i++) {
        const Onnx__TensorProto *tensor = graph->initializer[i];
        struct onnx_value *value = onnx_model_find(model, tensor->name);
        if (value && !value->number)
            value->number = onnx_number_read(model, tensor);
        if (model->memory.failed)
            return error_no_memory(model->error);
    }
    for (size_t i = 0; i < graph->n_node; i++) {
        Onnx__NodeProto *node = graph->node[i];
        for (size_t j = 0; j < node->n_attribute; j++)
            if (node->attribute[j]->g)
                TRY(fold_graph(model, node->attribute[j]->g));
        struct onnx_value *value = onnx_model_find(model, onnx_node_output(node, 0));
        const struct row *row = bsearch(onnx_node_type(node), rows, sizeof rows / sizeof *rows,
                                        sizeof *rows, compare_type);
        if (!value || !row || !onnx_node_is_standard(node) ||
            (value->number && onnx_node_is(node, "Constant")))
            continue;
        struct onnx_number *number = row->fold(&(struct onnx_fold){model, node});
        if (model->memory.failed)
            return error_no_memory(model->error);
        if (number)
            value->number = number;
        if (number && row->fold != onnx_fold_constant && onnx_number_is_known(number))
            TRY(onnx_number_write(model, number, node));
    }
    return STATUS_OK;
}

enum status onnx_fold_model(struct onnx_model *model)
{
    TRY(fold_graph(model, model->proto->graph));
    return onnx_pick_branches(model);
}
