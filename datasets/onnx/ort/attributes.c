/* Tensors and attributes. */

#include <string.h>

#include "datasets/onnx/ort/parts.h"

enum { TENSOR_NAME, TENSOR_DIMS = 2, TENSOR_TYPE, TENSOR_RAW, TENSOR_STRINGS, TENSOR_EXTERNAL };
enum {
    ATTRIBUTE_NAME,
    ATTRIBUTE_TYPE = 2,
    ATTRIBUTE_F,
    ATTRIBUTE_I,
    ATTRIBUTE_S,
    ATTRIBUTE_T,
    ATTRIBUTE_G,
    ATTRIBUTE_FLOATS,
    ATTRIBUTE_INTS,
    ATTRIBUTE_STRINGS
};
enum { NODE_ATTRIBUTES = 10 };
enum { MOST_DATA_BYTES = 32 * 1024 }; /* of a tensor that may say something about shapes */

static enum status read_integers(struct ort_reader *reader, const struct flatbuffer_table *table,
                                 unsigned field, int64_t **items, size_t *count)
{
    struct flatbuffer_vector list;
    TRY(flatbuffer_vector(table, field, 8, "numbers", &list));
    TRY(ort_charge(reader, list.at, list.count));
    TRY(ort_take(reader, items, list.count, sizeof **items));
    for (uint32_t i = 0; i < list.count; i++)
        (*items)[i] = (int64_t)flatbuffer_element_wide(&list, i);
    *count = list.count;
    return STATUS_OK;
}

enum status ort_read_tensor(struct ort_reader *reader, const struct flatbuffer_table *table,
                            Onnx__TensorProto **made)
{
    Onnx__TensorProto *tensor;
    struct flatbuffer_vector raw;
    uint64_t type;
    TRY(ort_take(reader, &tensor, 1, sizeof *tensor));
    onnx__tensor_proto__init(tensor);
    TRY(ort_text(reader, table, TENSOR_NAME, &tensor->name));
    TRY(read_integers(reader, table, TENSOR_DIMS, &tensor->dims, &tensor->n_dims));
    TRY(flatbuffer_number(table, TENSOR_TYPE, 4, 0, &type));
    TRY(flatbuffer_vector(table, TENSOR_RAW, 1, "the data of a tensor", &raw));
    tensor->has_data_type = 1;
    tensor->data_type = (int32_t)type;
    tensor->has_raw_data = raw.count && raw.count <= MOST_DATA_BYTES;
    if (tensor->has_raw_data)
        tensor->raw_data = (ProtobufCBinaryData){raw.count, (uint8_t *)reader->file.bytes + raw.at};
    TRY(ort_charge(reader, table->at, raw.count <= MOST_DATA_BYTES ? raw.count / 64 : 0));
    *made = tensor;
    return STATUS_OK;
}

static enum status read_lists(struct ort_reader *reader, const struct flatbuffer_table *table,
                              Onnx__AttributeProto *made)
{
    struct flatbuffer_vector list;
    TRY(read_integers(reader, table, ATTRIBUTE_INTS, &made->ints, &made->n_ints));
    TRY(flatbuffer_vector(table, ATTRIBUTE_FLOATS, 4, "numbers", &list));
    TRY(ort_charge(reader, list.at, list.count));
    TRY(ort_take(reader, &made->floats, list.count, sizeof *made->floats));
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t bits = flatbuffer_element(&list, i);
        memcpy(&made->floats[i], &bits, sizeof bits);
    }
    made->n_floats = list.count;
    TRY(flatbuffer_vector(table, ATTRIBUTE_STRINGS, 4, "texts", &list));
    TRY(ort_take(reader, &made->strings, list.count, sizeof *made->strings));
    for (uint32_t i = 0; i < list.count; i++) {
        char *text;
        TRY(ort_element_text(reader, &list, i, &text));
        made->strings[i] = (ProtobufCBinaryData){strlen(text), (uint8_t *)text};
    }
    made->n_strings = list.count;
    return STATUS_OK;
}

static enum status read_attribute(struct ort_reader *reader, const struct flatbuffer_table *table,
                                  Onnx__AttributeProto **attribute)
{
    Onnx__AttributeProto *made;
    struct flatbuffer_table inner;
    uint64_t type, bits;
    uint32_t narrow;
    char *text;
    bool found;
    TRY(ort_take(reader, &made, 1, sizeof *made));
    onnx__attribute_proto__init(made);
    TRY(ort_text(reader, table, ATTRIBUTE_NAME, &made->name));
    TRY(flatbuffer_number(table, ATTRIBUTE_TYPE, 4, 0, &type));
    made->has_type = made->has_f = made->has_i = made->has_s = 1;
    made->type = (Onnx__AttributeProto__AttributeType)type;
    TRY(flatbuffer_number(table, ATTRIBUTE_F, 4, 0, &bits));
    narrow = (uint32_t)bits;
    memcpy(&made->f, &narrow, sizeof narrow);
    TRY(flatbuffer_number(table, ATTRIBUTE_I, 8, 0, &bits));
    made->i = (int64_t)bits;
    TRY(ort_text(reader, table, ATTRIBUTE_S, &text));
    made->s = (ProtobufCBinaryData){strlen(text), (uint8_t *)text};
    TRY(flatbuffer_table(table, ATTRIBUTE_T, "a tensor", &found, &inner));
    if (found)
        TRY(ort_read_tensor(reader, &inner, &made->t));
    TRY(flatbuffer_table(table, ATTRIBUTE_G, "a graph", &found, &inner));
    if (found)
        TRY(ort_read_graph(reader, &inner, &made->g));
    *attribute = made;
    return read_lists(reader, table, made);
}

enum status ort_read_attributes(struct ort_reader *reader, const struct flatbuffer_table *node,
                                Onnx__NodeProto *proto)
{
    struct flatbuffer_vector list;
    struct flatbuffer_table table;
    TRY(ort_list(reader, node, NODE_ATTRIBUTES, "attributes", &list, &proto->attribute));
    for (uint32_t i = 0; i < list.count; i++) {
        TRY(flatbuffer_element_table(&list, i, "an attribute", &table));
        TRY(read_attribute(reader, &table, &proto->attribute[i]));
    }
    proto->n_attribute = list.count;
    return STATUS_OK;
}
