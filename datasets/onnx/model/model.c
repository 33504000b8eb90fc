#include "datasets/onnx/model/model.h"

#include <string.h>

#include "core/memory.h"

enum status onnx_model_add(struct onnx_model *model, const char *name)
{
    TRY(memory_reserve(&model->value, &model->value_capacity, (size_t)model->names.count + 1,
                       sizeof *model->value, model->error));
    TRY(names_add(&model->names, name, model->error));
    model->value[model->names.count - 1] = (struct onnx_value){0};
    return STATUS_OK;
}

struct onnx_value *onnx_model_find(const struct onnx_model *model, const char *name)
{
    if (!name || !*name)
        return NULL;
    uint32_t found = names_find(&model->names, name);
    return found == NAMES_NONE ? NULL : &model->value[found];
}

Onnx__AttributeProto *onnx_node_attribute(const Onnx__NodeProto *node, const char *name)
{
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->name && strcmp(node->attribute[i]->name, name) == 0)
            return node->attribute[i];
    return NULL;
}

int64_t onnx_node_integer(const Onnx__NodeProto *node, const char *name, int64_t otherwise)
{
    const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
    return attribute && attribute->has_i ? attribute->i : otherwise;
}

Onnx__GraphProto *onnx_node_graph(const Onnx__NodeProto *node, const char *name)
{
    const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
    return attribute ? attribute->g : NULL;
}

const char *onnx_node_type(const Onnx__NodeProto *node)
{
    return node->op_type ? node->op_type : "";
}

bool onnx_node_is_standard(const Onnx__NodeProto *node)
{
    return !node->domain || !*node->domain || strcmp(node->domain, "ai.onnx") == 0;
}

bool onnx_node_is(const Onnx__NodeProto *node, const char *type)
{
    return onnx_node_is_standard(node) && strcmp(onnx_node_type(node), type) == 0;
}

const char *onnx_node_input(const Onnx__NodeProto *node, size_t index)
{
    return index < node->n_input ? node->input[index] : "";
}

const char *onnx_node_output(const Onnx__NodeProto *node, size_t index)
{
    return index < node->n_output ? node->output[index] : "";
}

int64_t onnx_model_opset(const struct onnx_model *model)
{
    const Onnx__ModelProto *proto = model->proto;
    for (size_t i = 0; i < proto->n_opset_import; i++) {
        const char *domain = proto->opset_import[i]->domain;
        if (!domain || !*domain || strcmp(domain, "ai.onnx") == 0)
            return proto->opset_import[i]->version;
    }
    return 1;
}

enum status onnx_model_walk(struct onnx_model *model, Onnx__GraphProto *graph, onnx_visit *visit)
{
    TRY(visit(model, graph));
    for (size_t i = 0; i < graph->n_node; i++)
        for (size_t j = 0; j < graph->node[i]->n_attribute; j++)
            if (graph->node[i]->attribute[j]->g)
                TRY(onnx_model_walk(model, graph->node[i]->attribute[j]->g, visit));
    return STATUS_OK;
}
