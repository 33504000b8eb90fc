#include "datasets/onnx/model/uses.h"

static bool makes_constants(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    /* These give another result each time, even from the same inputs. */
    static const char *const random[] = {"RandomNormal",      "RandomUniform", "RandomNormalLike",
                                         "RandomUniformLike", "Multinomial",   "Bernoulli"};
    size_t inputs = 0;
    if (onnx_node_is(node, "Constant"))
        return true;
    for (size_t i = 0; i < sizeof random / sizeof *random; i++)
        if (onnx_node_is(node, random[i]))
            return false;
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->g)
            return false;
    for (size_t i = 0; i < node->n_input; i++) {
        const struct onnx_value *value = onnx_model_find(model, node->input[i]);
        if (value && !value->constant)
            return false;
        inputs += value != NULL;
    }
    return inputs > 0;
}

static void mark(const struct onnx_model *model, const char *name, bool constant)
{
    struct onnx_value *value = onnx_model_find(model, name);
    if (value && constant)
        value->constant = true;
    else if (value)
        value->used = true;
}

static void mark_constants(const struct onnx_model *model, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_initializer; i++)
        mark(model, graph->initializer[i]->name, true);
    for (size_t i = 0; i < graph->n_sparse_initializer; i++)
        if (graph->sparse_initializer[i]->values)
            mark(model, graph->sparse_initializer[i]->values->name, true);
    for (size_t i = 0; i < graph->n_node; i++) {
        const Onnx__NodeProto *node = graph->node[i];
        for (size_t j = 0; j < node->n_attribute; j++)
            if (node->attribute[j]->g)
                mark_constants(model, node->attribute[j]->g);
        for (size_t j = 0; makes_constants(model, node) && j < node->n_output; j++)
            mark(model, node->output[j], true);
    }
}

bool onnx_uses_keeps(const struct onnx_model *model, const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_output; i++) {
        const struct onnx_value *value = onnx_model_find(model, node->output[i]);
        if (value && value->used && !value->constant)
            return true;
    }
    return false;
}

/* Marks what is used, from the last node to the first, so that all readers of a value are known
   when its node is reached. */
static void mark_used(const struct onnx_model *model, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_output; i++)
        mark(model, graph->output[i]->name, false);
    for (size_t i = graph->n_node; i-- > 0;) {
        const Onnx__NodeProto *node = graph->node[i];
        if (!onnx_uses_keeps(model, node))
            continue;
        for (size_t j = 0; j < node->n_attribute; j++)
            if (node->attribute[j]->g)
                mark_used(model, node->attribute[j]->g);
        for (size_t j = 0; j < node->n_input; j++)
            mark(model, node->input[j], false);
    }
}

void onnx_uses_mark(struct onnx_model *model)
{
    for (uint32_t v = 0; v < model->names.count; v++)
        model->value[v].constant = model->value[v].used = false;
    mark_constants(model, model->proto->graph);
    mark_used(model, model->proto->graph);
}
