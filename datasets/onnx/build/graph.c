#include "datasets/onnx/build/graph.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/onnx/build/operators.h"
#include "datasets/onnx/model/uses.h"
#include "datasets/onnx/shapes/sizes.h"
#include "planning/graph/build.h"
#include "planning/graph/dtype.h"

enum { MOST_LABEL_BYTES = 256 };

/* A tensor without elements is planned as one byte, so that it has a place. */
static enum status create_tensor(struct onnx_builder *builder, const char *name,
                                 const struct onnx_value *value, uint32_t *tensor)
{
    uint64_t bytes, dimension[ONNX_MOST_DIMENSIONS];
    uint8_t dtype;
    TRY(onnx_sizes_get(builder->model, name, &bytes));
    if (!bytes || value->most_bytes || !onnx_sizes_dtype(value->element, &dtype))
        return graph_add_tensor(builder->graph,
                                &(struct graph_tensor_spec){.name = name,
                                                            .bytes = bytes ? bytes : 1,
                                                            .external = value->constant},
                                tensor, builder->error);
    for (uint32_t i = 0; i < value->rank; i++)
        dimension[i] = (uint64_t)onnx_sizes_dimension(builder->model, value, i);
    return graph_add_tensor(builder->graph,
                            &(struct graph_tensor_spec){.name = name,
                                                        .has_shape = true,
                                                        .dtype = dtype,
                                                        .dimensions = dimension,
                                                        .rank = value->rank,
                                                        .external = value->constant},
                            tensor, builder->error);
}

enum status onnx_graph_tensor(struct onnx_builder *builder, const char *name, uint32_t *tensor)
{
    const struct onnx_value *value = onnx_model_find(builder->model, name);
    *tensor = GRAPH_NONE;
    if (!value)
        return error_set(builder->error, STATUS_BAD_INPUT,
                         "a value is left out that If, Loop or Scan needs");
    uint32_t *known = &builder->tensor[value - builder->model->value];
    if (*known == GRAPH_NONE)
        TRY(create_tensor(builder, name, value, known));
    *tensor = *known;
    return STATUS_OK;
}

enum status onnx_graph_add(struct onnx_builder *builder, struct onnx_tensors *list, uint32_t tensor)
{
    TRY(memory_reserve(&list->item, &list->capacity, (size_t)list->count + 1, sizeof *list->item,
                       builder->error));
    list->item[list->count++] = tensor;
    return STATUS_OK;
}

enum status onnx_graph_add_tensor(struct onnx_builder *builder, struct onnx_tensors *list,
                                  const char *value)
{
    uint32_t tensor;
    TRY(onnx_graph_tensor(builder, value, &tensor));
    return onnx_graph_add(builder, list, tensor);
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
        return error_no_memory(builder->error);
    TRY(names_add(&builder->model->names, spec.name, builder->error));
    return graph_add_tensor(builder->graph, &spec, tensor, builder->error);
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
    const char *name = make_name(builder, &builder->operators, base, what);
    if (!name)
        return error_no_memory(builder->error);
    TRY(names_add(&builder->operators, name, builder->error));
    return graph_open_operator(builder->graph, name, type, op, builder->error);
}

/* A name for a node without one: that of its first output. */
static const char *get_base_name(const struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    if (node->name && *node->name && names_find(&builder->operators, node->name) == NAMES_NONE)
        return node->name;
    for (size_t i = 0; i < node->n_output; i++)
        if (*node->output[i])
            return node->output[i];
    return onnx_node_type(node);
}

enum status onnx_graph_open(struct onnx_builder *builder, const Onnx__NodeProto *node, uint32_t *op)
{
    char type[MOST_LABEL_BYTES];
    bool standard = onnx_node_is_standard(node);
    snprintf(type, sizeof type, "%s%s%s", standard ? "" : node->domain, standard ? "" : ".",
             onnx_node_type(node));
    TRY(open_operator(builder, get_base_name(builder, node), "", type, op));
    builder->graph->op[*op].flops = onnx_operators_flops(builder->model, node);
    return STATUS_OK;
}

enum status onnx_graph_open_made(struct onnx_builder *builder, const char *base, const char *what,
                                 const char *type)
{
    uint32_t added;
    return open_operator(builder, base, what, type, &added);
}

static bool is_argument(const struct onnx_value *value)
{
    return value->element == ONNX__TENSOR_PROTO__DATA_TYPE__INT64 && value->has_rank &&
           value->rank <= 1;
}

static enum status add_weight(struct onnx_builder *builder, const char *name,
                              const struct onnx_value *value)
{
    uint64_t bytes;
    uint8_t dtype = 0;
    if (value->kind == ONNX_NO_TENSOR || value->element == ONNX__TENSOR_PROTO__DATA_TYPE__STRING ||
        is_argument(value))
        return STATUS_OK;
    TRY(onnx_sizes_get(builder->model, name, &bytes));
    if (!onnx_sizes_dtype(value->element, &dtype))
        graph_dtype_find("uint8", &dtype);
    return bytes ? graph_operator_weight(builder->graph, name, dtype, bytes, builder->error)
                 : STATUS_OK;
}

enum status onnx_graph_read_input(struct onnx_builder *builder, const Onnx__NodeProto *node,
                                  size_t i, struct onnx_tensors *inputs)
{
    const char *name = onnx_node_input(node, i);
    const struct onnx_value *value = onnx_model_find(builder->model, name);
    if (!value)
        return STATUS_OK;
    return value->constant ? add_weight(builder, name, value)
                           : onnx_graph_add_tensor(builder, inputs, name);
}

static enum status read_inputs(struct onnx_builder *builder, const Onnx__NodeProto *node,
                               struct onnx_tensors *inputs, struct onnx_tensors *pairs)
{
    for (size_t i = 0; i < node->n_input; i++) {
        uint32_t position = inputs->count;
        TRY(onnx_graph_read_input(builder, node, i, inputs));
        if (inputs->count == position || !onnx_operators_inplace(builder->model, node, i))
            continue;
        TRY(onnx_graph_add(builder, pairs, position));
        TRY(onnx_graph_add(builder, pairs, 0));
    }
    return STATUS_OK;
}

static enum status fill_operator(struct onnx_builder *builder, const Onnx__NodeProto *node,
                                 struct onnx_tensors lists[3])
{
    struct graph *graph = builder->graph;
    TRY(read_inputs(builder, node, &lists[0], &lists[1]));
    for (size_t i = 0; i < node->n_output; i++)
        if (onnx_graph_has_output(builder, node, i))
            TRY(onnx_graph_add_tensor(builder, &lists[2], node->output[i]));
    TRY(graph_operator_inputs(graph, lists[0].item, lists[0].count, builder->error));
    TRY(graph_operator_outputs(graph, lists[2].item, lists[2].count, builder->error));
    return graph_operator_inplace(graph, lists[1].item, lists[1].count / 2, builder->error);
}

static enum status add_plain(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    struct onnx_tensors lists[3] = {{0}};
    uint32_t op;
    TRY(onnx_graph_open(builder, node, &op));
    enum status status = fill_operator(builder, node, lists);
    for (int i = 0; i < 3; i++)
        memory_free(lists[i].item);
    graph_close_operator(builder->graph);
    return status;
}

/* Operators with inner graphs; any other may have none. */
static const struct {
    const char *type;
    enum status (*add)(struct onnx_builder *builder, const Onnx__NodeProto *node);
} owners[] = {
    {"If", onnx_graph_add_if}, {"Loop", onnx_graph_add_loop}, {"Scan", onnx_graph_add_loop}};

static enum status add_node(struct onnx_builder *builder, const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (onnx_node_is(node, owners[i].type))
            return owners[i].add(builder, node);
    for (size_t i = 0; i < node->n_attribute; i++)
        if (node->attribute[i]->g)
            return error_set(builder->error, STATUS_BAD_INPUT,
                             "'%s' has a graph inside, expected one only in If, Loop and Scan",
                             onnx_node_type(node));
    return add_plain(builder, node);
}

enum status onnx_graph_add_nodes(struct onnx_builder *builder, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++)
        if (onnx_uses_keeps(builder->model, graph->node[i]))
            TRY(add_node(builder, graph->node[i]));
    return STATUS_OK;
}

static enum status add_inputs(struct onnx_builder *builder, const Onnx__GraphProto *graph,
                              struct onnx_tensors *inputs)
{
    for (size_t i = 0; i < graph->n_input; i++) {
        const char *name = graph->input[i]->name ? graph->input[i]->name : "";
        const struct onnx_value *value = onnx_model_find(builder->model, name);
        if (value && !value->constant && value->used)
            TRY(onnx_graph_add_tensor(builder, inputs, name));
    }
    return graph_set_inputs(builder->graph, inputs->item, inputs->count, builder->error);
}

static enum status build_all(struct onnx_builder *builder)
{
    const Onnx__GraphProto *graph = builder->model->proto->graph;
    struct onnx_tensors inputs = {0}, outputs = {0};
    enum status status = add_inputs(builder, graph, &inputs);
    if (!status)
        status = onnx_graph_add_nodes(builder, graph);
    for (size_t i = 0; i < graph->n_output && !status; i++)
        status = onnx_graph_add_tensor(builder, &outputs, graph->output[i]->name);
    if (!status)
        status = graph_finish(builder->graph, outputs.item, outputs.count, NULL, builder->error);
    memory_free(inputs.item);
    memory_free(outputs.item);
    return status;
}

enum status onnx_graph_build(struct onnx_model *model, const char *name, struct graph **graph,
                             struct error *error)
{
    struct onnx_builder builder = {.model = model, .error = error};
    uint32_t values = model->names.count;
    enum status status = graph_create(&builder.graph, name, error);
    if (!status)
        status = memory_create(&builder.tensor, values, sizeof *builder.tensor, error);
    for (uint32_t i = 0; i < values && !status; i++)
        builder.tensor[i] = GRAPH_NONE;
    if (!status)
        status = build_all(&builder);
    memory_free(builder.tensor);
    names_free(&builder.operators);
    if (status)
        graph_free(builder.graph);
    else
        *graph = builder.graph;
    return status;
}
