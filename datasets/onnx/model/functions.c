#include "datasets/onnx/model/functions.h"

#include <string.h>

static bool are_equal(const char *first, const char *second)
{
    return strcmp(first ? first : "", second ? second : "") == 0;
}

const Onnx__FunctionProto *onnx_functions_find(const Onnx__ModelProto *proto,
                                               const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < proto->n_functions; i++) {
        const Onnx__FunctionProto *function = proto->functions[i];
        if (are_equal(function->name, node->op_type) && are_equal(function->domain, node->domain))
            return function;
    }
    return NULL;
}

static bool fill_attribute(Onnx__AttributeProto *attribute, const Onnx__NodeProto *call)
{
    const Onnx__AttributeProto *given = onnx_node_attribute(call, attribute->ref_attr_name);
    if (!given)
        return false;
    char *name = attribute->name;
    *attribute = *given;
    attribute->name = name;
    return true;
}

void onnx_functions_fill(Onnx__NodeProto *node, const Onnx__NodeProto *call)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->n_attribute; i++) {
        Onnx__AttributeProto *attribute = node->attribute[i];
        for (size_t j = 0; attribute->g && j < attribute->g->n_node; j++)
            onnx_functions_fill(attribute->g->node[j], call);
        if (!attribute->ref_attr_name || !*attribute->ref_attr_name ||
            fill_attribute(attribute, call))
            node->attribute[kept++] = attribute;
    }
    node->n_attribute = kept;
}
