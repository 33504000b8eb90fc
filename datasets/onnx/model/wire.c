#include "datasets/onnx/model/wire.h"

enum {
    MOST_DEPTH = 100,
    MOST_DATA_BYTES = 32 * 1024, /* of a tensor that may say something about shapes */
};

/* The bytes of a message that have not been processed yet. */
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

/* Skips a field; *inner is the content of a field that has a length. */
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

static bool copy_message(const ProtobufCMessageDescriptor *message, struct walk walk,
                         unsigned depth, struct text *copy);

/* Copies an inner message. Its length is known only afterwards, so the place for the length is as
   large as it can ever be. */
static bool copy_inner(const ProtobufCMessageDescriptor *message, struct walk inner, unsigned depth,
                       struct text *copy)
{
    enum { LENGTH_BYTES = 5 };
    size_t place = copy->length;
    text_append_bytes(copy, "12345", LENGTH_BYTES);
    if (!copy_message(message, inner, depth, copy))
        return false;
    size_t length = copy->length - place - LENGTH_BYTES;
    for (unsigned i = 0; i < LENGTH_BYTES && !copy->failed; i++, length >>= 7)
        copy->bytes[place + i] = (char)((length & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
    return true;
}

/* Copies a message without the contents of its large tensors, which protobuf-c would only move
   about. protobuf-c goes down as deep as the file does, so the depth is looked at here. */
static bool copy_message(const ProtobufCMessageDescriptor *message, struct walk walk,
                         unsigned depth, struct text *copy)
{
    if (depth > MOST_DEPTH)
        return false;
    while (walk.at < walk.end) {
        const uint8_t *start = walk.at;
        struct walk inner;
        uint64_t tag;
        if (!read_varint(&walk, &tag) || tag > UINT32_MAX)
            return false;
        const uint8_t *after_tag = walk.at;
        if (!skip_field(&walk, (unsigned)tag & 7, &inner))
            return false;
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(message, (unsigned)tag >> 3);
        bool nested = field && field->type == PROTOBUF_C_TYPE_MESSAGE && (tag & 7) == 2;
        const uint8_t *end = nested ? after_tag : walk.at;
        /* Numbers of a tensor that are too many to be a shape. */
        bool weight = message == &onnx__tensor_proto__descriptor && field &&
                      inner.end - inner.at > MOST_DATA_BYTES &&
                      field->type != PROTOBUF_C_TYPE_STRING;
        if (!weight)
            text_append_bytes(copy, (const char *)start, (size_t)(end - start));
        if (nested && !copy_inner(field->descriptor, inner, depth + 1, copy))
            return false;
    }
    return true;
}

enum status onnx_wire_read(struct onnx_memory *memory, const struct text *text,
                           Onnx__ModelProto **proto, struct error *error)
{
    const uint8_t *bytes = (const uint8_t *)text->bytes;
    SCOPED(text_free) struct text copy = {0};
    if (!text->length)
        return error_set(error, STATUS_BAD_INPUT, "found nothing, expected an ONNX model");
    if (!copy_message(&onnx__model_proto__descriptor, (struct walk){bytes, bytes + text->length}, 0,
                      &copy))
        return error_set(error, STATUS_BAD_INPUT,
                         "found bytes that are cut short, no protobuf or nested more than %d "
                         "deep, expected an ONNX model",
                         MOST_DEPTH);
    TRY(text_check(&copy, error));
    *proto =
        onnx__model_proto__unpack(&memory->allocator, copy.length, (const uint8_t *)copy.bytes);
    if (memory->failed)
        return error_no_memory(error);
    if (!*proto || !(*proto)->graph)
        return error_set(error, STATUS_BAD_INPUT, "found %s, expected an ONNX model",
                         *proto ? "no graph" : "a protobuf of another kind");
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
