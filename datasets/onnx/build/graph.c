#include "datasets/onnx/build/graph.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/onnx/build/operators.h"
#include "datasets/onnx/model/uses.h"
#include "datasets/onnx/shapes/sizes.h"
#include "planning/graph/dtype.h"

enum { MOST_LABEL_BYTES = 256 };

enum status onnx_graph_tensor(struct onnx_builder *builder, const char *name, uint32_t *tensor)
{
    const struct onnx_value *value = onnx_model_find(builder->model, name);
    uint64_t bytes, dimension[ONNX_MOST_DIMENSIONS];
    *tensor = GRAPH_NONE;
    if (!value)
        return error_set(builder->assembly.error, STATUS_BAD_INPUT,
                         "found a value left out that If, Loop or Scan needs, expected it");
    uint32_t *known = &builder->tensor[value - builder->model->value];
    if (*known == GRAPH_NONE) {
        TRY(onnx_sizes_get(builder->model, name, &bytes));
        struct graph_tensor_spec spec = {.name = name, .external = value->constant};
        /* A tensor without elements is planned as one byte, so that it has a place. */
        if (!bytes || value->most_bytes || !onnx_sizes_dtype(value->element, &spec.dtype)) {
            spec.bytes = bytes ? bytes : 1;
            spec.dtype = 0;
        } else {
            spec.has_shape = true;
            spec.dimensions = dimension;
            spec.rank = value->rank;
            for (uint32_t i = 0; i < value->rank; i++)
                dimension[i] = (uint64_t)onnx_sizes_dimension(builder->model, value, i);
        }
        TRY(graph_add_tensor(builder->assembly.graph, &spec, known, builder->assembly.error));
    }
    *tensor = *known;
    return STATUS_OK;
}

enum status onnx_graph_add_tensor(struct onnx_builder *builder, struct assembly_list *list,
                                  const char *value)
{
    uint32_t tensor;
    TRY(onnx_graph_tensor(builder, value, &tensor));
    return assembly_list_add(&builder->assembly, list, tensor);
}

/* Makes the name "base.what", with a number behind it if the name is taken. */
static char *make_name(struct onnx_builder *builder, const struct names *taken, const char *base,
                       const char *what)
{
    struct onnx_memory *memory = &builder->model->memory;
    size_t bytes = strlen(base) + strlen(what) + 2;
    char *joined = onnx_memory_allocate(memory, bytes), *name = joined;
    if (joined)
        snprintf(joined, bytes, "%s%s%s", base, *what ? "." : "", what);
    for (unsigned i = 2; name && names_find(taken, name) != NAMES_NONE; i++)
        name = onnx_memory_name(memory, joined, i);
    return name;
}

enum status onnx_graph_make_tensor(struct onnx_builder *builder, const char *base, const char *what,
                                   struct graph_tensor_spec spec, uint32_t *tensor)
{
    spec.name = make_name(builder, &builder->model->names, base, what);
    if (!spec.name)
        return error_no_memory(builder->assembly.error);
    TRY(names_add(&builder->model->names, spec.name, builder->assembly.error));
    return graph_add_tensor(builder->assembly.graph, &spec, tensor, builder->assembly.error);
}

bool onnx_graph_has_output(const struct onnx_builder *builder, const Onnx__NodeProto *node,
                           size_t i)
{
    struct error ignored;
    struct onnx_model quiet = *builder->model;
    const struct onnx_value *value = onnx_model_find(&quiet, onnx_node_output(node, i));
    uint64_t bytes;
    quiet.error = &ignored;
    return value && (value->used || !onnx_sizes_get(&quiet, node->output[i], &bytes));
}

static enum status open_operator(struct onnx_builder *builder, const char *base, const char *what,
                                 const char *type, uint32_t *op)
{
    struct assembly *assembly = &builder->assembly;
    const char *name = make_name(builder, &assembly->operators, base, what);
    if (!name)
        return error_no_memory(assembly->error);
    TRY(names_add(&assembly->operators, name, assembly->error));
    return graph_open_operator(assembly->graph, name, type, op, assembly->error);
}

enum status onnx_graph_open(struct onnx_builder *builder, const Onnx__NodeProto *node, uint32_t *op)
{
    char type[MOST_LABEL_BYTES];
    bool standard = onnx_node_is_standard(node);
    snprintf(type, sizeof type, "%s%s%s", standard ? "" : node->domain, standard ? "" : ".",
             onnx_node_type(node));
    /* A node without a name of its own is called as its first output. */
    const char *base = node->name;
    if (!base || !*base || names_find(&builder->assembly.operators, base) != NAMES_NONE) {
        size_t first = 0;
        while (first < node->n_output && !*node->output[first])
            first++;
        base = first < node->n_output ? node->output[first] : onnx_node_type(node);
    }
    TRY(open_operator(builder, base, "", type, op));
    builder->assembly.graph->op[*op].flops = onnx_operators_flops(builder->model, node);
    return STATUS_OK;
}

enum status onnx_graph_open_made(struct onnx_builder *builder, const char *base, const char *what,
                                 const char *type)
{
    uint32_t added;
    return open_operator(builder, base, what, type, &added);
}

enum status onnx_graph_read_input(struct onnx_builder *builder, const Onnx__NodeProto *node,
                                  size_t i)
{
    const char *name = onnx_node_input(node, i);
    const struct onnx_value *value = onnx_model_find(builder->model, name);
    uint64_t bytes;
    uint8_t dtype = 0;
    if (!value)
        return STATUS_OK;
    if (!value->constant)
        return onnx_graph_add_tensor(builder, &builder->assembly.inputs, name);
    if (value->kind == ONNX_NO_TENSOR || value->element == ONNX__TENSOR_PROTO__DATA_TYPE__STRING ||
        (value->element == ONNX__TENSOR_PROTO__DATA_TYPE__INT64 && value->has_rank &&
         value->rank <= 1))
        return STATUS_OK;
    TRY(onnx_sizes_get(builder->model, name, &bytes));
    if (!onnx_sizes_dtype(value->element, &dtype))
        graph_dtype_find("uint8", &dtype);
    return bytes ? graph_operator_weight(builder->assembly.graph, name, dtype, bytes,
                                         builder->assembly.error)
                 : STATUS_OK;
}

enum status onnx_graph_write_outputs(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_output; i++)
        if (onnx_graph_has_output(builder, node, i))
            TRY(onnx_graph_add_tensor(builder, &builder->assembly.outputs, node->output[i]));
    return STATUS_OK;
}

static enum status add_plain(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    struct assembly *assembly = &builder->assembly;
    uint32_t op;
    TRY(onnx_graph_open(builder, node, &op));
    for (size_t i = 0; i < node->n_input; i++) {
        uint32_t position = assembly->inputs.count;
        TRY(onnx_graph_read_input(builder, node, i));
        if (assembly->inputs.count > position && onnx_operators_inplace(builder->model, node, i))
            TRY(assembly_add_inplace(assembly, position));
    }
    TRY(onnx_graph_write_outputs(builder, node));
    return assembly_close(assembly);
}

enum status onnx_graph_add_nodes(struct onnx_builder *builder, const Onnx__GraphProto *graph)
{
    for (size_t n = 0; n < graph->n_node; n++) {
        const Onnx__NodeProto *node = graph->node[n];
        if (!onnx_uses_keeps(builder->model, node))
            continue;
        if (onnx_node_is(node, "If")) {
            TRY(onnx_graph_add_if(builder, node));
            continue;
        }
        if (onnx_node_is(node, "Loop") || onnx_node_is(node, "Scan")) {
            TRY(onnx_graph_add_loop(builder, node));
            continue;
        }
        for (size_t i = 0; i < node->n_attribute; i++)
            if (node->attribute[i]->g)
                return error_set(
                    builder->assembly.error, STATUS_BAD_INPUT,
                    "found a graph inside '%s', expected one only in If, Loop and Scan",
                    onnx_node_type(node));
        TRY(add_plain(builder, node));
    }
    return STATUS_OK;
}

static void free_builder(struct onnx_builder *builder)
{
    memory_free(builder->tensor);
    assembly_clear(&builder->assembly);
}

enum status onnx_graph_build(struct onnx_model *model, const char *name, struct graph **built,
                             struct error *error)
{
    SCOPED(free_builder) struct onnx_builder builder = {.model = model};
    SCOPED(assembly_list_free) struct assembly_list ends = {0};
    struct assembly *assembly = &builder.assembly;
    const Onnx__GraphProto *graph = model->proto->graph;
    uint32_t values = model->names.count;
    TRY(assembly_create(assembly, name, error));
    TRY(memory_create(&builder.tensor, values, sizeof *builder.tensor, error));
    for (uint32_t i = 0; i < values; i++)
        builder.tensor[i] = GRAPH_NONE;
    for (size_t i = 0; i < graph->n_input; i++) {
        const char *input = graph->input[i]->name ? graph->input[i]->name : "";
        const struct onnx_value *value = onnx_model_find(model, input);
        if (value && !value->constant && value->used)
            TRY(onnx_graph_add_tensor(&builder, &ends, input));
    }
    TRY(graph_set_inputs(assembly->graph, ends.item, ends.count, error));
    TRY(onnx_graph_add_nodes(&builder, graph));
    ends.count = 0;
    for (size_t i = 0; i < graph->n_output; i++)
        TRY(onnx_graph_add_tensor(&builder, &ends, graph->output[i]->name));
    if (!assembly->graph->operators)
        return error_set(error, STATUS_BAD_INPUT,
                         "found no operators that depend on inputs, expected at least one");
    TRY(graph_finish(assembly->graph, ends.item, ends.count, NULL, error));
    HAND_OVER(assembly->graph, built);
}
