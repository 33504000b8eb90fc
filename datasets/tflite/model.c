#include "datasets/tflite/model.h"

#include "core/checked.h"
#include "datasets/assembly/types.h"

/* Numbers of fields in the schema. */
enum { MODEL_CODES = 1, MODEL_SUBGRAPHS = 2, MODEL_BUFFERS = 4 };
enum { SUBGRAPH_TENSORS, SUBGRAPH_INPUTS, SUBGRAPH_OUTPUTS, SUBGRAPH_OPERATORS };
enum {
    TENSOR_SHAPE,
    TENSOR_TYPE,
    TENSOR_BUFFER,
    TENSOR_NAME,
    TENSOR_VARIABLE = 5,
    TENSOR_SIGNATURE = 7
};
enum { CODE_OLD, CODE_CUSTOM, CODE_BUILTIN = 3 };
enum {
    OPERATOR_CODE,
    OPERATOR_INPUTS,
    OPERATOR_OUTPUTS,
    OPERATOR_OPTIONS,
    OPERATOR_OPTIONS_2 = 11
};
enum { BUFFER_DATA, BUFFER_OFFSET, BUFFER_SIZE };

/* What is known only when the model runs. Texts are counted as the runtime lays them out, without
   their characters: 4 bytes for each and for the count and the end. */
enum { TYPE_STRING = 5, TYPE_RESOURCE = 13, TYPE_VARIANT = 14, TEXT_ENDS = 2 };

enum status tflite_model_open(const struct text *text, const char *file, struct tflite_model *model,
                              struct error *error)
{
    struct flatbuffer_table root;
    model->file =
        (struct flatbuffer){(const unsigned char *)text->bytes, text->length, file, error};
    TRY(flatbuffer_open(&model->file, "TFL3", &root));
    TRY(flatbuffer_vector(&root, MODEL_CODES, 4, "operator codes", &model->codes));
    TRY(flatbuffer_vector(&root, MODEL_SUBGRAPHS, 4, "subgraphs", &model->subgraphs));
    return flatbuffer_vector(&root, MODEL_BUFFERS, 4, "buffers", &model->buffers);
}

enum status tflite_model_subgraph(const struct tflite_model *model, uint32_t index,
                                  struct tflite_subgraph *subgraph)
{
    struct flatbuffer_table table;
    if (index >= model->subgraphs.count)
        return flatbuffer_fail(&model->file, model->subgraphs.at,
                               "found a call of subgraph %u, expected one of %u", index,
                               model->subgraphs.count);
    TRY(flatbuffer_element_table(&model->subgraphs, index, "a subgraph", &table));
    *subgraph = (struct tflite_subgraph){.model = model, .index = index, .at = table.at};
    TRY(flatbuffer_vector(&table, SUBGRAPH_TENSORS, 4, "tensors", &subgraph->tensors));
    TRY(flatbuffer_vector(&table, SUBGRAPH_INPUTS, 4, "inputs", &subgraph->inputs));
    TRY(flatbuffer_vector(&table, SUBGRAPH_OUTPUTS, 4, "outputs", &subgraph->outputs));
    return flatbuffer_vector(&table, SUBGRAPH_OPERATORS, 4, "operators", &subgraph->operators);
}

/* first: the first dimension in place of the file's, or 0. */
static enum status read_shape(const struct flatbuffer_table *table, uint64_t first,
                              struct tflite_tensor *tensor)
{
    struct flatbuffer_vector shape, signature;
    TRY(flatbuffer_vector(table, TENSOR_SHAPE, 4, "dimensions", &shape));
    TRY(flatbuffer_vector(table, TENSOR_SIGNATURE, 4, "a signature", &signature));
    if (shape.count > GRAPH_MOST_DIMENSIONS)
        return flatbuffer_fail(table->buffer, shape.at, "found %u dimensions, expected at most %d",
                               shape.count, GRAPH_MOST_DIMENSIONS);
    tensor->rank = shape.count;
    tensor->elements = 1;
    for (uint32_t i = 0; i < shape.count; i++) {
        uint64_t dimension = i || !first ? flatbuffer_element(&shape, i) : first;
        if (signature.count == shape.count && flatbuffer_element(&signature, i) == UINT32_MAX)
            tensor->open |= 1u << i;
        if (dimension > INT32_MAX)
            return flatbuffer_fail(table->buffer, shape.at + 4 * (size_t)i,
                                   "found dimension %d, expected 0 or more", (int)dimension);
        tensor->dimension[i] = dimension;
        if (!checked_multiply(tensor->elements, dimension, &tensor->elements))
            return flatbuffer_fail(table->buffer, shape.at,
                                   "found a tensor of 2^64 elements or more, expected fewer");
    }
    return STATUS_OK;
}

static enum status read_constant(const struct tflite_model *model,
                                 const struct flatbuffer_table *table, struct tflite_tensor *tensor)
{
    struct flatbuffer_table buffer;
    struct flatbuffer_vector data;
    uint64_t index, offset, size;
    TRY(flatbuffer_number(table, TENSOR_BUFFER, 4, 0, &index));
    if (!index)
        return STATUS_OK;
    if (index >= model->buffers.count)
        return flatbuffer_fail(table->buffer, table->at,
                               "found a tensor in buffer %u, expected one of %u", (unsigned)index,
                               model->buffers.count);
    TRY(flatbuffer_element_table(&model->buffers, (uint32_t)index, "a buffer", &buffer));
    TRY(flatbuffer_vector(&buffer, BUFFER_DATA, 1, "data", &data));
    tensor->constant_bytes = data.count;
    if (data.count)
        return STATUS_OK;
    /* Models beyond 2 GiB have the bytes of constants behind the FlatBuffer. */
    TRY(flatbuffer_number(&buffer, BUFFER_OFFSET, 8, 0, &offset));
    TRY(flatbuffer_number(&buffer, BUFFER_SIZE, 8, 0, &size));
    if (offset <= 1)
        return STATUS_OK;
    size_t length = model->file.length;
    if (offset > length || size > length - offset)
        return flatbuffer_fail(&model->file, buffer.at,
                               "found a buffer of %llu bytes at %llu, expected it in the file",
                               (unsigned long long)size, (unsigned long long)offset);
    tensor->constant_bytes = size;
    return STATUS_OK;
}

enum status tflite_model_tensor(const struct tflite_subgraph *subgraph, uint32_t index,
                                struct tflite_tensor *tensor)
{
    struct flatbuffer_table table;
    uint64_t type, bits, variable;
    TRY(flatbuffer_element_table(&subgraph->tensors, index, "a tensor", &table));
    *tensor = (struct tflite_tensor){.at = table.at};
    TRY(flatbuffer_vector(&table, TENSOR_NAME, 1, "a name", &tensor->name));
    const uint64_t *first = subgraph->model->first_dimension;
    TRY(read_shape(&table, first ? first[index] : 0, tensor));
    TRY(flatbuffer_number(&table, TENSOR_TYPE, 1, 0, &type));
    const struct element_type *row = element_type_find(ELEMENT_TFLITE, type);
    if (!row)
        return flatbuffer_fail(table.buffer, table.at,
                               "found a tensor of type %u, expected at most 18", (unsigned)type);
    tensor->dynamic = type == TYPE_STRING || type == TYPE_RESOURCE || type == TYPE_VARIANT;
    tensor->has_dtype = element_type_dtype(row, &tensor->dtype);
    uint64_t elements = tensor->elements;
    bool fits = type != TYPE_STRING || checked_add(elements, TEXT_ENDS, &elements);
    if (!fits || !checked_multiply(elements, row->bits, &bits))
        return flatbuffer_fail(table.buffer, table.at,
                               "found a tensor of 2^61 bytes or more, expected fewer");
    tensor->bytes = bits / 8 + (bits % 8 != 0);
    TRY(flatbuffer_number(&table, TENSOR_VARIABLE, 1, 0, &variable));
    tensor->variable = variable != 0;
    return read_constant(subgraph->model, &table, tensor);
}

enum status tflite_model_operator(const struct tflite_subgraph *subgraph, uint32_t index,
                                  struct tflite_operator *op)
{
    const struct tflite_model *model = subgraph->model;
    struct flatbuffer_table *table = &op->table, code;
    uint64_t row, old, builtin;
    TRY(flatbuffer_element_table(&subgraph->operators, index, "an operator", table));
    op->at = table->at;
    TRY(flatbuffer_number(table, OPERATOR_CODE, 4, 0, &row));
    if (row >= model->codes.count)
        return flatbuffer_fail(&model->file, op->at, "found operator code %u, expected one of %u",
                               (unsigned)row, model->codes.count);
    TRY(flatbuffer_element_table(&model->codes, (uint32_t)row, "an operator code", &code));
    /* Codes up to 126 stand in a byte that older readers know; larger ones only in the newer
       field. */
    TRY(flatbuffer_number(&code, CODE_OLD, 1, 0, &old));
    TRY(flatbuffer_number(&code, CODE_BUILTIN, 4, 0, &builtin));
    if (builtin > INT32_MAX || old > INT8_MAX)
        return flatbuffer_fail(&model->file, code.at,
                               "found a negative operator code, expected 0 or more");
    op->code = (uint32_t)(builtin > old ? builtin : old);
    TRY(flatbuffer_vector(&code, CODE_CUSTOM, 1, "a name", &op->custom));
    TRY(flatbuffer_vector(table, OPERATOR_INPUTS, 4, "inputs", &op->inputs));
    return flatbuffer_vector(table, OPERATOR_OUTPUTS, 4, "outputs", &op->outputs);
}

enum status tflite_model_options(const struct tflite_operator *op, bool second, uint32_t number,
                                 bool *found, struct flatbuffer_table *options)
{
    unsigned field = second ? OPERATOR_OPTIONS_2 : OPERATOR_OPTIONS;
    uint64_t type;
    *found = false;
    TRY(flatbuffer_number(&op->table, field, 1, 0, &type));
    if (type != number)
        return STATUS_OK;
    return flatbuffer_table(&op->table, field + 1, "options", found, options);
}
