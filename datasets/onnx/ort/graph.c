/* Graphs, with the types of their values. */

#include <string.h>

#include "core/memory.h"
#include "datasets/onnx/ort/parts.h"

enum {
    GRAPH_INITIALIZERS,
    GRAPH_VALUES,
    GRAPH_NODES,
    GRAPH_INPUTS = 5,
    GRAPH_OUTPUTS,
    GRAPH_SPARSE
};
enum { VALUE_NAME, VALUE_TYPE = 2 };
enum { TYPE_KIND = 1, TYPE };
enum { TENSOR_ELEMENT, TENSOR_SHAPE, SHAPE_DIMENSIONS = 0, DIMENSION = 0 };
enum { DIMENSION_KIND, DIMENSION_NUMBER, DIMENSION_NAME };
enum { KIND_NUMBER = 1, KIND_NAME, KIND_TENSOR = 1, KIND_SEQUENCE, KIND_MAP };
enum { NODE_NAME, NODE_DOMAIN = 2, NODE_TYPE = 5, NODE_INPUTS = 8, NODE_OUTPUTS };
enum { MOST_DEPTH = 64 };

/* A dimension that is neither a number nor a name stays open. */
static enum status read_dimension(struct ort_reader *reader, const struct flatbuffer_table *table,
                                  Onnx__TensorShapeProto__Dimension **made)
{
    Onnx__TensorShapeProto__Dimension *dimension;
    struct flatbuffer_table value;
    uint64_t kind, number;
    bool found;
    TRY(ort_take(reader, &dimension, 1, sizeof *dimension));
    onnx__tensor_shape_proto__dimension__init(dimension);
    *made = dimension;
    TRY(flatbuffer_table(table, DIMENSION, "the value of a dimension", &found, &value));
    if (!found)
        return STATUS_OK;
    TRY(flatbuffer_number(&value, DIMENSION_KIND, 1, 0, &kind));
    TRY(flatbuffer_number(&value, DIMENSION_NUMBER, 8, 0, &number));
    if (kind == KIND_NUMBER) {
        dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
        dimension->dim_value = (int64_t)number;
    } else if (kind == KIND_NAME) {
        dimension->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
        TRY(ort_text(reader, &value, DIMENSION_NAME, &dimension->dim_param));
        TRY(memory_reserve(&reader->named, &reader->named_capacity, reader->named_count + 1,
                           sizeof(Onnx__TensorShapeProto__Dimension *), reader->file.error));
        reader->named[reader->named_count++] = dimension;
    }
    return STATUS_OK;
}

static enum status read_tensor_type(struct ort_reader *reader, const struct flatbuffer_table *table,
                                    Onnx__TypeProto__Tensor **made)
{
    Onnx__TypeProto__Tensor *tensor;
    struct flatbuffer_table shape, dimension;
    struct flatbuffer_vector list;
    uint64_t element;
    bool found;
    TRY(ort_take(reader, &tensor, 1, sizeof *tensor));
    onnx__type_proto__tensor__init(tensor);
    TRY(flatbuffer_number(table, TENSOR_ELEMENT, 4, 0, &element));
    tensor->has_elem_type = 1;
    tensor->elem_type = (int32_t)element;
    *made = tensor;
    TRY(flatbuffer_table(table, TENSOR_SHAPE, "a shape", &found, &shape));
    if (!found)
        return STATUS_OK;
    TRY(ort_take(reader, &tensor->shape, 1, sizeof *tensor->shape));
    onnx__tensor_shape_proto__init(tensor->shape);
    TRY(ort_list(reader, &shape, SHAPE_DIMENSIONS, "dimensions", &list, &tensor->shape->dim));
    for (uint32_t i = 0; i < list.count; i++) {
        TRY(flatbuffer_element_table(&list, i, "a dimension", &dimension));
        TRY(read_dimension(reader, &dimension, &tensor->shape->dim[i]));
    }
    tensor->shape->n_dim = list.count;
    return STATUS_OK;
}

static enum status read_value(struct ort_reader *reader, const struct flatbuffer_table *table,
                              Onnx__ValueInfoProto **made)
{
    Onnx__ValueInfoProto *info;
    struct flatbuffer_table type, content;
    uint64_t kind;
    bool found;
    TRY(ort_take(reader, &info, 1, sizeof *info));
    onnx__value_info_proto__init(info);
    TRY(ort_text(reader, table, VALUE_NAME, &info->name));
    *made = info;
    TRY(flatbuffer_table(table, VALUE_TYPE, "a type", &found, &type));
    if (!found)
        return STATUS_OK;
    TRY(flatbuffer_number(&type, TYPE_KIND, 1, 0, &kind));
    if (kind == KIND_SEQUENCE || kind == KIND_MAP)
        return flatbuffer_fail(&reader->file, type.at,
                               "found value '%.60s', a %s, expected tensors", info->name,
                               kind == KIND_MAP ? "map" : "sequence");
    TRY(flatbuffer_table(&type, TYPE, "the type of a tensor", &found, &content));
    if (!found || kind != KIND_TENSOR)
        return STATUS_OK;
    TRY(ort_take(reader, &info->type, 1, sizeof *info->type));
    onnx__type_proto__init(info->type);
    info->type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
    return read_tensor_type(reader, &content, &info->type->tensor_type);
}

/* The values of a graph, which the lists below name. */
struct values {
    struct names names;
    Onnx__ValueInfoProto **info; /* [names.count] */
};

static void free_values(struct values *values)
{
    names_free(&values->names);
}

static enum status read_values(struct ort_reader *reader, const struct flatbuffer_table *table,
                               struct values *values)
{
    struct flatbuffer_vector list;
    struct flatbuffer_table value;
    TRY(ort_list(reader, table, GRAPH_VALUES, "values", &list, &values->info));
    for (uint32_t i = 0; i < list.count; i++) {
        TRY(flatbuffer_element_table(&list, i, "a value", &value));
        TRY(read_value(reader, &value, &values->info[i]));
        TRY(names_add(&values->names, values->info[i]->name, reader->file.error));
    }
    return STATUS_OK;
}

static enum status list_values(struct ort_reader *reader, const struct flatbuffer_table *table,
                               unsigned field, const struct values *values, size_t *count,
                               Onnx__ValueInfoProto ***infos)
{
    struct flatbuffer_vector list;
    TRY(ort_list(reader, table, field, "inputs or outputs", &list, infos));
    for (uint32_t i = 0; i < list.count; i++) {
        char *name;
        TRY(ort_element_text(reader, &list, i, &name));
        uint32_t found = names_find(&values->names, name);
        TRY(ort_take(reader, &(*infos)[i], 1, sizeof ***infos));
        onnx__value_info_proto__init((*infos)[i]);
        (*infos)[i]->name = name;
        if (found != NAMES_NONE)
            (*infos)[i]->type = values->info[found]->type;
    }
    *count = list.count;
    return STATUS_OK;
}

static enum status list_names(struct ort_reader *reader, const struct flatbuffer_table *table,
                              unsigned field, size_t *count, char ***names)
{
    struct flatbuffer_vector list;
    TRY(ort_list(reader, table, field, "names of values", &list, names));
    for (uint32_t i = 0; i < list.count; i++)
        TRY(ort_element_text(reader, &list, i, &(*names)[i]));
    *count = list.count;
    return STATUS_OK;
}

static enum status read_node(struct ort_reader *reader, const struct flatbuffer_table *table,
                             Onnx__NodeProto **made)
{
    Onnx__NodeProto *node;
    TRY(ort_take(reader, &node, 1, sizeof *node));
    onnx__node_proto__init(node);
    TRY(ort_text(reader, table, NODE_NAME, &node->name));
    TRY(ort_text(reader, table, NODE_DOMAIN, &node->domain));
    TRY(ort_text(reader, table, NODE_TYPE, &node->op_type));
    TRY(list_names(reader, table, NODE_INPUTS, &node->n_input, &node->input));
    TRY(list_names(reader, table, NODE_OUTPUTS, &node->n_output, &node->output));
    *made = node;
    return ort_read_attributes(reader, table, node);
}

static enum status read_nodes(struct ort_reader *reader, const struct flatbuffer_table *table,
                              Onnx__GraphProto *graph)
{
    struct flatbuffer_vector list;
    struct flatbuffer_table item;
    TRY(ort_list(reader, table, GRAPH_INITIALIZERS, "initializers", &list, &graph->initializer));
    for (uint32_t i = 0; i < list.count; i++) {
        TRY(flatbuffer_element_table(&list, i, "an initializer", &item));
        TRY(ort_read_tensor(reader, &item, &graph->initializer[i]));
    }
    graph->n_initializer = list.count;
    TRY(ort_list(reader, table, GRAPH_NODES, "nodes", &list, &graph->node));
    for (uint32_t i = 0; i < list.count; i++) {
        TRY(flatbuffer_element_table(&list, i, "a node", &item));
        TRY(read_node(reader, &item, &graph->node[i]));
    }
    graph->n_node = list.count;
    return ort_sort_nodes(reader, graph);
}

/* What the nodes write and is no output of the graph has a type too. */
static enum status add_types(struct ort_reader *reader, const struct values *values,
                             Onnx__GraphProto *graph)
{
    TRY(ort_take(reader, &graph->value_info, values->names.count, sizeof *graph->value_info));
    SCOPED(names_free) struct names outputs = {0};
    for (size_t i = 0; i < graph->n_output; i++)
        TRY(names_add(&outputs, graph->output[i]->name, reader->file.error));
    for (size_t n = 0; n < graph->n_node; n++)
        for (size_t i = 0; i < graph->node[n]->n_output; i++) {
            const char *name = graph->node[n]->output[i];
            uint32_t found = names_find(&values->names, name);
            if (found != NAMES_NONE && names_find(&outputs, name) == NAMES_NONE &&
                graph->n_value_info < values->names.count)
                graph->value_info[graph->n_value_info++] = values->info[found];
        }
    return STATUS_OK;
}

enum status ort_read_graph(struct ort_reader *reader, const struct flatbuffer_table *table,
                           Onnx__GraphProto **made)
{
    SCOPED(free_values) struct values values = {.info = NULL};
    Onnx__GraphProto *graph;
    struct flatbuffer_vector sparse;
    if (reader->depth == MOST_DEPTH)
        return flatbuffer_fail(&reader->file, table->at,
                               "found graphs nested deeper than %d, expected at most %d",
                               MOST_DEPTH, MOST_DEPTH);
    TRY(flatbuffer_vector(table, GRAPH_SPARSE, 4, "sparse initializers", &sparse));
    if (sparse.count)
        return flatbuffer_fail(&reader->file, sparse.at,
                               "found sparse initializers, expected dense ones");
    reader->depth++;
    TRY(ort_take(reader, &graph, 1, sizeof *graph));
    onnx__graph_proto__init(graph);
    graph->name = (char *)"onnx";
    TRY(read_values(reader, table, &values));
    TRY(list_values(reader, table, GRAPH_INPUTS, &values, &graph->n_input, &graph->input));
    TRY(list_values(reader, table, GRAPH_OUTPUTS, &values, &graph->n_output, &graph->output));
    TRY(read_nodes(reader, table, graph));
    TRY(add_types(reader, &values, graph));
    reader->depth--;
    *made = graph;
    return STATUS_OK;
}
