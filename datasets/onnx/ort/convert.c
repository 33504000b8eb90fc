/* Tables of the file as ONNX's own messages, field by field as fields.def says. */

#include <string.h>

#include "core/little_endian.h"
#include "core/memory.h"
#include "core/utf8.h"
#include "datasets/onnx/ort/parts.h"

enum { MOST_DEPTH = 64, MOST_WORK = 1 << 22, BYTES_A_WORK = 64 };
enum { MOST_DATA_BYTES = 32 * 1024 }; /* of a tensor that may say something about shapes */
enum { GRAPH_SPARSE = 7 };

static const struct field {
    enum ort_table table;
    unsigned slot, number;
    enum ort_table holds;
} fields[] = {
#define FIELD(table, slot, number, holds) {ORT_##table, slot, number, ORT_##holds},
#include "datasets/onnx/ort/fields.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const ProtobufCMessageDescriptor *const messages[] = {
    [ORT_MODEL] = &onnx__model_proto__descriptor,
    [ORT_OPSET] = &onnx__operator_set_id_proto__descriptor,
    [ORT_GRAPH] = &onnx__graph_proto__descriptor,
    [ORT_NAME] = &onnx__value_info_proto__descriptor,
    [ORT_VALUE] = &onnx__value_info_proto__descriptor,
    [ORT_TYPE] = &onnx__type_proto__descriptor,
    [ORT_ARRAY] = &onnx__type_proto__tensor__descriptor,
    [ORT_SHAPE] = &onnx__tensor_shape_proto__descriptor,
    [ORT_DIMENSION] = &onnx__tensor_shape_proto__dimension__descriptor,
    [ORT_LENGTH] = &onnx__tensor_shape_proto__dimension__descriptor,
    [ORT_NODE] = &onnx__node_proto__descriptor,
    [ORT_TENSOR] = &onnx__tensor_proto__descriptor,
    [ORT_ATTRIBUTE] = &onnx__attribute_proto__descriptor,
};

static enum status charge(struct ort_reader *reader, size_t at, uint64_t work)
{
    reader->work += work;
    if (reader->work <= MOST_WORK)
        return STATUS_OK;
    return flatbuffer_fail(&reader->file, at,
                           "found a model of more than %d parts, with what it repeats, expected "
                           "fewer",
                           MOST_WORK);
}

enum status ort_take(struct ort_reader *reader, void *array, size_t count, size_t item_bytes)
{
    void *taken = onnx_memory_allocate(&reader->model->memory, (count ? count : 1) * item_bytes);
    if (!taken)
        return error_no_memory(reader->file.error);
    memcpy(array, &taken, sizeof taken);
    return STATUS_OK;
}

enum status ort_copy_text(struct ort_reader *reader, const struct flatbuffer_vector *bytes,
                          char **text)
{
    const char *from = (const char *)reader->file.bytes + bytes->at;
    TRY(charge(reader, bytes->at, 1 + bytes->count / BYTES_A_WORK));
    if (bytes->count && (memchr(from, '\0', bytes->count) || !utf8_is_valid(from, bytes->count)))
        return flatbuffer_fail(&reader->file, bytes->at,
                               "found a text that is not UTF-8 or has a zero byte, expected text");
    TRY(ort_take(reader, text, (size_t)bytes->count + 1, 1));
    if (bytes->count)
        memcpy(*text, from, bytes->count);
    return STATUS_OK;
}

/* Bytes stay in the file. */
static ProtobufCBinaryData refer(struct ort_reader *reader, const struct flatbuffer_vector *bytes)
{
    bool is_read = bytes->count && bytes->count <= MOST_DATA_BYTES;
    return (ProtobufCBinaryData){is_read ? bytes->count : 0,
                                 is_read ? (uint8_t *)reader->file.bytes + bytes->at : NULL};
}

static unsigned count_bytes(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_INT64 ? 8 : 4;
}

static void store_number(const ProtobufCFieldDescriptor *field, char *at, uint64_t number)
{
    uint32_t narrow = (uint32_t)number;
    if (field->type == PROTOBUF_C_TYPE_INT64)
        memcpy(at, &number, sizeof number);
    else
        memcpy(at, &narrow, sizeof narrow);
}

static enum status create(struct ort_reader *reader, enum ort_table holds, void *message)
{
    void *created = NULL;
    TRY(ort_take(reader, &created, 1, messages[holds]->sizeof_message));
    messages[holds]->message_init(created);
    memcpy(message, &created, sizeof created);
    return STATUS_OK;
}

/* An element of a list of texts, bytes, messages or names of messages. */
static enum status read_element(struct ort_reader *reader, const struct field *field,
                                const ProtobufCFieldDescriptor *to,
                                const struct flatbuffer_vector *list, uint32_t index, char *at)
{
    struct flatbuffer_vector bytes;
    struct flatbuffer_table table;
    if (to->type == PROTOBUF_C_TYPE_MESSAGE && field->holds != ORT_NAME) {
        TRY(flatbuffer_element_table(list, index, to->name, &table));
        return ort_read_table(reader, &table, field->holds, at);
    }
    TRY(flatbuffer_element_vector(list, index, 1, to->name, &bytes));
    if (to->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData data = refer(reader, &bytes);
        memcpy(at, &data, sizeof data);
        return STATUS_OK;
    }
    if (to->type == PROTOBUF_C_TYPE_STRING)
        return ort_copy_text(reader, &bytes, (char **)(void *)at);
    Onnx__ValueInfoProto *named = NULL;
    TRY(create(reader, ORT_NAME, &named));
    memcpy(at, &named, sizeof named);
    return ort_copy_text(reader, &bytes, &named->name);
}

static enum status read_list(struct ort_reader *reader, const struct flatbuffer_table *table,
                             const struct field *field, const ProtobufCFieldDescriptor *to,
                             char *message)
{
    struct flatbuffer_vector list;
    bool has_numbers = to->type == PROTOBUF_C_TYPE_INT64 || to->type == PROTOBUF_C_TYPE_FLOAT;
    size_t item_bytes = has_numbers                         ? count_bytes(to)
                        : to->type == PROTOBUF_C_TYPE_BYTES ? sizeof(ProtobufCBinaryData)
                                                            : sizeof(void *);
    char *array = NULL;
    TRY(flatbuffer_vector(table, field->slot, has_numbers ? count_bytes(to) : 4, to->name, &list));
    TRY(charge(reader, list.at, list.count));
    TRY(ort_take(reader, &array, list.count, item_bytes));
    const unsigned char *number = reader->file.bytes + list.at;
    for (uint32_t i = 0; i < list.count; i++)
        if (has_numbers)
            store_number(to, array + i * item_bytes,
                         little_endian_get(number + i * item_bytes, (unsigned)item_bytes));
        else
            TRY(read_element(reader, field, to, &list, i, array + i * item_bytes));
    size_t count = list.count;
    memcpy(message + to->offset, &array, sizeof array);
    memcpy(message + to->quantifier_offset, &count, sizeof count);
    return STATUS_OK;
}

/* Which field of a union there is; of a length that is neither a number nor a name none. */
static enum status read_case(struct ort_reader *reader, const struct flatbuffer_table *table,
                             const struct field *field, int *found)
{
    uint64_t number;
    *found = 0;
    TRY(flatbuffer_number(table, field->slot, 1, 0, &number));
    for (int f = 0; f < FIELDS; f++)
        if (fields[f].table == field->table && fields[f].number == number)
            *found = (int)number;
    if (number && !*found && field->table == ORT_TYPE)
        return flatbuffer_fail(&reader->file, table->at,
                               "found value '%.60s', which is a sequence or a map, expected "
                               "tensors",
                               reader->value->name);
    return STATUS_OK;
}

static enum status read_single(struct ort_reader *reader, const struct flatbuffer_table *table,
                               const struct field *field, const ProtobufCFieldDescriptor *to,
                               char *message)
{
    struct flatbuffer_vector bytes;
    struct flatbuffer_table inner;
    uint64_t number = 0;
    bool found;
    char *at = message + to->offset;
    protobuf_c_boolean has = true;
    if (to->type == PROTOBUF_C_TYPE_MESSAGE) {
        TRY(flatbuffer_table(table, field->slot, to->name, &found, &inner));
        return found ? ort_read_table(reader, &inner, field->holds, at) : STATUS_OK;
    }
    if (to->type == PROTOBUF_C_TYPE_STRING || to->type == PROTOBUF_C_TYPE_BYTES)
        TRY(flatbuffer_vector(table, field->slot, 1, to->name, &bytes));
    else
        TRY(flatbuffer_number(table, field->slot, count_bytes(to), 0, &number));
    if (to->type == PROTOBUF_C_TYPE_STRING)
        return ort_copy_text(reader, &bytes, (char **)(void *)at);
    if (to->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData data = refer(reader, &bytes);
        has = data.len > 0;
        memcpy(at, &data, sizeof data);
    } else {
        store_number(to, at, number);
    }
    if (!(to->flags & PROTOBUF_C_FIELD_FLAG_ONEOF))
        memcpy(message + to->quantifier_offset, &has, sizeof has);
    return STATUS_OK;
}

static enum status read_fields(struct ort_reader *reader, const struct flatbuffer_table *table,
                               enum ort_table kind, char *message)
{
    struct flatbuffer_table more;
    bool found;
    int chosen = 0;
    for (const struct field *field = fields; field < fields + FIELDS; field++) {
        if (field->table != kind)
            continue;
        const ProtobufCFieldDescriptor *to =
            protobuf_c_message_descriptor_get_field(messages[kind], field->number);
        if (!field->number) {
            TRY(flatbuffer_table(table, field->slot, "a length", &found, &more));
            TRY(found ? read_fields(reader, &more, field->holds, message) : STATUS_OK);
        } else if (field->holds == ORT_CASE) {
            TRY(read_case(reader, table, field, &chosen));
            memcpy(message + to->quantifier_offset, &chosen, sizeof chosen);
        } else if (to->label == PROTOBUF_C_LABEL_REPEATED) {
            TRY(read_list(reader, table, field, to, message));
        } else if (!(to->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) || chosen == (int)field->number) {
            TRY(read_single(reader, table, field, to, message));
        }
    }
    return STATUS_OK;
}

/* A dimension may be a name, which the user gives a number. */
static enum status note_name(struct ort_reader *reader,
                             Onnx__TensorShapeProto__Dimension *dimension)
{
    if (dimension->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
        return STATUS_OK;
    TRY(memory_reserve(&reader->named, &reader->named_capacity, reader->named_count + 1,
                       sizeof(Onnx__TensorShapeProto__Dimension *), reader->file.error));
    reader->named[reader->named_count++] = dimension;
    return STATUS_OK;
}

static enum status read_graph(struct ort_reader *reader, const struct flatbuffer_table *table,
                              Onnx__GraphProto *graph)
{
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
    graph->name = (char *)"onnx";
    TRY(read_fields(reader, table, ORT_GRAPH, (char *)graph));
    reader->depth--;
    return ort_finish_graph(reader, graph);
}

enum status ort_read_table(struct ort_reader *reader, const struct flatbuffer_table *table,
                           enum ort_table kind, void *message)
{
    void *created = NULL;
    TRY(create(reader, kind, &created));
    memcpy(message, &created, sizeof created);
    if (kind == ORT_GRAPH)
        return read_graph(reader, table, created);
    if (kind == ORT_VALUE)
        reader->value = created;
    TRY(read_fields(reader, table, kind, created));
    return kind == ORT_DIMENSION ? note_name(reader, created) : STATUS_OK;
}
