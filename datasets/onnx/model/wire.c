#include "datasets/onnx/model/wire.h"

#include <string.h>

#include "datasets/protobuf/wire.h"

enum {
    MOST_DEPTH = 100,
    MOST_DATA_BYTES = 32 * 1024, /* of a tensor that may say something about shapes */
    NUMBER_BYTES = 5,            /* of 32 bits in a file */
};

/* Puts a number into a place that is as large as it can ever be. */
static void put_number(char place[NUMBER_BYTES], size_t number)
{
    for (unsigned i = 0; i < NUMBER_BYTES; i++, number >>= 7)
        place[i] = (char)((number & 0x7f) | (i + 1 < NUMBER_BYTES ? 0x80 : 0));
}

static bool copy_message(const ProtobufCMessageDescriptor *message, struct wire wire,
                         unsigned depth, struct text *copy);

/* Copies an inner message, whose length is known only afterwards. */
static bool copy_inner(const ProtobufCFieldDescriptor *known, const struct wire_field *field,
                       const struct wire *outer, unsigned depth, struct text *copy)
{
    const struct wire inner = wire_open(field->bytes, field->length, "", outer->error);
    char head[2 * NUMBER_BYTES];
    size_t start = copy->length;
    put_number(head, field->number << 3 | WIRE_LENGTH);
    text_append_bytes(copy, head, sizeof head);
    if (!copy_message(known->descriptor, inner, depth, copy))
        return false;
    if (!copy->failed)
        put_number(copy->bytes + start + NUMBER_BYTES, copy->length - start - sizeof head);
    return true;
}

/* Copies a message without what nobody reads, which protobuf-c would only move about: the contents
   of large tensors, remarks and what newer versions say, where exporters put whole stack traces.
   protobuf-c goes down as deep as the file does, so the depth is looked at here. */
static bool copy_message(const ProtobufCMessageDescriptor *message, struct wire wire,
                         unsigned depth, struct text *copy)
{
    struct wire_field field;
    bool found = true;
    while (found && depth <= MOST_DEPTH) {
        const unsigned char *start = wire.next;
        if (wire_next(&wire, &field, &found))
            return false;
        const ProtobufCFieldDescriptor *known =
            protobuf_c_message_descriptor_get_field(message, field.number);
        /* Numbers of a tensor that are too many to be a shape. */
        bool weight = message == &onnx__tensor_proto__descriptor && known &&
                      field.length > MOST_DATA_BYTES && known->type != PROTOBUF_C_TYPE_STRING;
        bool nested = known && known->type == PROTOBUF_C_TYPE_MESSAGE && field.is_bytes;
        if (nested && !copy_inner(known, &field, &wire, depth + 1, copy))
            return false;
        bool dropped = !known || strcmp(known->name, "doc_string") == 0;
        if (!nested && !weight && !dropped)
            text_append_bytes(copy, (const char *)start, (size_t)(wire.next - start));
    }
    return depth <= MOST_DEPTH;
}

enum status onnx_wire_read(struct onnx_memory *memory, const struct text *text,
                           Onnx__ModelProto **proto, struct error *error)
{
    SCOPED(text_free) struct text copy = {0};
    struct error ignored;
    const struct wire wire = wire_open(text->bytes, text->length, "", &ignored);
    if (!text->length)
        return error_set(error, STATUS_BAD_INPUT, "found nothing, expected an ONNX model");
    if (!copy_message(&onnx__model_proto__descriptor, wire, 0, &copy))
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
