#include "datasets/onnx_wire.h"

#include "core/memory.h"

enum {
    MOST_DEPTH = 100,
    MOST_DATA_BYTES = 32 * 1024, /* of a tensor that may say something about shapes */
};

/* A message's bytes that are still to be walked. */
struct walk {
    const uint8_t *at, *end;
};

static bool read_varint(struct walk *walk, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && walk->at < walk->end; shift += 7) {
        uint8_t byte = *walk->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Passes a field; *inner is what a field with a length holds. */
static bool skip_field(struct walk *walk, unsigned wire_type, struct walk *inner)
{
    uint64_t length = 0;
    *inner = (struct walk){0};
    if (wire_type == 0)
        return read_varint(walk, &length);
    if (wire_type == 1 || wire_type == 5)
        length = wire_type == 1 ? 8 : 4;
    else if (wire_type != 2 || !read_varint(walk, &length))
        return false;
    if (length > (uint64_t)(walk->end - walk->at))
        return false;
    *inner = (struct walk){walk->at, walk->at + length};
    walk->at += length;
    return true;
}

/* protobuf-c goes down as deep as the file does, so the depth is looked at first. */
static bool check_depth(const ProtobufCMessageDescriptor *message, struct walk walk, unsigned depth)
{
    if (depth > MOST_DEPTH)
        return false;
    while (walk.at < walk.end) {
        uint64_t tag;
        struct walk inner;
        if (!read_varint(&walk, &tag) || tag > UINT32_MAX ||
            !skip_field(&walk, (unsigned)tag & 7, &inner))
            return false;
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(message, (unsigned)tag >> 3);
        if (field && field->type == PROTOBUF_C_TYPE_MESSAGE && (tag & 7) == 2 &&
            !check_depth(field->descriptor, inner, depth + 1))
            return false;
    }
    return true;
}

static void drop_data(Onnx__TensorProto *tensor)
{
    if (tensor->raw_data.len > MOST_DATA_BYTES)
        tensor->raw_data = (ProtobufCBinaryData){0};
    if (tensor->n_float_data > MOST_DATA_BYTES / 4)
        tensor->n_float_data = 0;
    if (tensor->n_double_data > MOST_DATA_BYTES / 8)
        tensor->n_double_data = 0;
    if (tensor->n_int32_data > MOST_DATA_BYTES / 4)
        tensor->n_int32_data = 0;
    if (tensor->n_int64_data > MOST_DATA_BYTES / 8)
        tensor->n_int64_data = 0;
    if (tensor->n_uint64_data > MOST_DATA_BYTES / 8)
        tensor->n_uint64_data = 0;
    tensor->n_string_data = 0;
}

static void drop_graph_data(Onnx__GraphProto *graph);

static void drop_nodes_data(Onnx__NodeProto **nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < nodes[i]->n_attribute; j++) {
            Onnx__AttributeProto *attribute = nodes[i]->attribute[j];
            if (attribute->t)
                drop_data(attribute->t);
            if (attribute->g)
                drop_graph_data(attribute->g);
        }
}

static void drop_graph_data(Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_initializer; i++)
        drop_data(graph->initializer[i]);
    drop_nodes_data(graph->node, graph->n_node);
}

enum status onnx_wire_read(struct onnx_memory *memory, const struct text *text,
                           Onnx__ModelProto **proto, struct error *error)
{
    const uint8_t *bytes = (const uint8_t *)text->bytes;
    if (!text->length)
        return error_set(error, STATUS_BAD_INPUT, "found nothing, expected an ONNX model");
    if (!check_depth(&onnx__model_proto__descriptor, (struct walk){bytes, bytes + text->length}, 0))
        return error_set(error, STATUS_BAD_INPUT,
                         "found bytes that are cut short, no protobuf or nested more than %d deep, "
                         "expected an ONNX model",
                         MOST_DEPTH);
    *proto = onnx__model_proto__unpack(&memory->allocator, text->length, bytes);
    if (memory->failed)
        return error_no_memory(error);
    if (!*proto || !(*proto)->graph)
        return error_set(error, STATUS_BAD_INPUT, "found %s, expected an ONNX model",
                         *proto ? "no graph" : "a protobuf of another kind");
    drop_graph_data((*proto)->graph);
    for (size_t i = 0; i < (*proto)->n_functions; i++)
        drop_nodes_data((*proto)->functions[i]->node, (*proto)->functions[i]->n_node);
    return STATUS_OK;
}

enum status onnx_wire_copy(struct onnx_memory *memory, const Onnx__NodeProto *node,
                           size_t *bytes_left, Onnx__NodeProto **copy, struct error *error)
{
    size_t bytes = onnx__node_proto__get_packed_size(node);
    if (bytes + sizeof *node > *bytes_left)
        return error_set(error, STATUS_BAD_INPUT,
                         "found functions that call each other too often to write them out");
    *bytes_left -= bytes + sizeof *node;
    uint8_t *packed = onnx_memory_allocate(memory, bytes);
    if (!packed)
        return error_no_memory(error);
    onnx__node_proto__pack(node, packed);
    *copy = onnx__node_proto__unpack(&memory->allocator, bytes, packed);
    return *copy ? STATUS_OK : error_no_memory(error);
}
