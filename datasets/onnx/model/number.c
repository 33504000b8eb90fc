#include "datasets/onnx/model/number.h"

#include <string.h>

struct onnx_number *onnx_number_create(struct onnx_model *model, int32_t element, uint32_t rank,
                                       const int64_t *dimension)
{
    uint64_t count = 1;
    if (rank > ONNX_MOST_DIMENSIONS)
        return NULL;
    for (uint32_t i = 0; i < rank; i++) {
        if (dimension[i] < 0 || dimension[i] > ONNX_MOST_NUMBERS)
            return NULL;
        count *= (uint64_t)dimension[i];
        if (count > ONNX_MOST_NUMBERS)
            return NULL;
    }
    struct onnx_number *number = onnx_memory_allocate(&model->memory, sizeof *number);
    int64_t *item = onnx_memory_allocate(&model->memory, count * sizeof *item);
    if (!number || !item)
        return NULL;
    *number = (struct onnx_number){element, rank, (uint32_t)count, {0}, item};
    for (uint32_t i = 0; i < rank; i++)
        number->dimension[i] = dimension[i];
    for (uint32_t i = 0; i < count; i++)
        item[i] = ONNX_NUMBER_UNKNOWN;
    return number;
}

static int64_t keep_whole(double value)
{
    bool small = value >= -9e15 && value <= 9e15;
    return small && (double)(int64_t)value == value ? (int64_t)value : ONNX_NUMBER_UNKNOWN;
}

/* Element types that folding knows, with the width of an item of raw data. */
static size_t get_width(int32_t element)
{
    switch (element) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
        return 8;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        return 4;
    case ONNX__TENSOR_PROTO__DATA_TYPE__BOOL:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
        return 1;
    default:
        return 0;
    }
}

/* An item of raw data, which is little-endian as this machine is. */
union item {
    int64_t wide;
    int32_t narrow;
    float single;
    double twice;
    uint8_t byte;
};
static int64_t read_raw(int32_t element, const uint8_t *data, size_t i)
{
    union item item = {.wide = 0};
    size_t width = get_width(element);
    memcpy(&item, data + width * i, width);
    switch (element) {
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
        return item.wide;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
        return item.narrow;
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
        return keep_whole((double)item.single);
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
        return keep_whole(item.twice);
    default:
        return item.byte;
    }
}

struct onnx_number *onnx_number_read(struct onnx_model *model, const Onnx__TensorProto *tensor)
{
    bool external = tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    int32_t element = tensor->data_type;
    if (external || !get_width(element) || tensor->n_dims > ONNX_MOST_DIMENSIONS)
        return NULL;
    struct onnx_number *number =
        onnx_number_create(model, element, (uint32_t)tensor->n_dims, tensor->dims);
    if (!number)
        return NULL;
    bool is_raw = tensor->raw_data.len > 0;
    bool is_wide = element == ONNX__TENSOR_PROTO__DATA_TYPE__INT64;
    bool is_single = element == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
    bool is_double = element == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE;
    size_t typed = is_wide     ? tensor->n_int64_data
                   : is_single ? tensor->n_float_data
                   : is_double ? tensor->n_double_data
                               : tensor->n_int32_data;
    if (is_raw ? tensor->raw_data.len != number->count * get_width(element)
               : typed != number->count)
        return NULL;
    for (size_t i = 0; i < number->count; i++)
        number->item[i] = is_raw      ? read_raw(element, tensor->raw_data.data, i)
                          : is_wide   ? tensor->int64_data[i]
                          : is_single ? keep_whole((double)tensor->float_data[i])
                          : is_double ? keep_whole(tensor->double_data[i])
                                      : tensor->int32_data[i];
    return number;
}

bool onnx_number_is_known(const struct onnx_number *number)
{
    for (uint32_t i = 0; i < number->count; i++)
        if (number->item[i] == ONNX_NUMBER_UNKNOWN)
            return false;
    return true;
}

bool onnx_number_scalar(const struct onnx_number *number, int64_t *item)
{
    if (!number || number->count != 1 || number->item[0] == ONNX_NUMBER_UNKNOWN)
        return false;
    *item = number->item[0];
    return true;
}

enum status onnx_number_write(struct onnx_model *model, const struct onnx_number *number,
                              Onnx__NodeProto *node)
{
    static char type[] = "Constant", value[] = "value";
    struct onnx_memory *memory = &model->memory;
    int32_t element = number->element;
    size_t width = get_width(element);
    Onnx__AttributeProto **list = onnx_memory_allocate(memory, sizeof *list);
    Onnx__AttributeProto *attribute = onnx_memory_allocate(memory, sizeof *attribute);
    Onnx__TensorProto *tensor = onnx_memory_allocate(memory, sizeof *tensor);
    uint8_t *data = onnx_memory_allocate(memory, number->count * width);
    if (memory->failed)
        return error_no_memory(model->error);
    for (uint32_t i = 0; i < number->count; i++) {
        union item item = {.wide = number->item[i]};
        if (element == ONNX__TENSOR_PROTO__DATA_TYPE__INT32)
            item.narrow = (int32_t)number->item[i];
        else if (element == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT)
            item.single = (float)number->item[i];
        else if (element == ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE)
            item.twice = (double)number->item[i];
        else if (width == 1)
            item.byte = (uint8_t)number->item[i];
        memcpy(data + i * width, &item, width);
    }
    onnx__attribute_proto__init(attribute);
    onnx__tensor_proto__init(tensor);
    tensor->n_dims = number->rank;
    tensor->dims = (int64_t *)number->dimension;
    tensor->has_data_type = tensor->has_raw_data = 1;
    tensor->data_type = element;
    tensor->raw_data = (ProtobufCBinaryData){number->count * width, data};
    attribute->name = value;
    attribute->has_type = 1;
    attribute->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
    attribute->t = tensor;
    list[0] = attribute;
    node->op_type = type;
    node->n_input = 0;
    node->n_attribute = 1;
    node->attribute = list;
    return STATUS_OK;
}
