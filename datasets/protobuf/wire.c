#include "datasets/protobuf/wire.h"

#include "core/list.h"
#include "core/little_endian.h"

enum { VARINT, FIXED_64, FIXED_32 = 5, TYPE_BITS = 3, MOST_VARINT_BYTES = 10 };

struct wire wire_open(const void *bytes, size_t length, const char *file, struct error *error)
{
    const unsigned char *start = bytes;
    return (struct wire){start, start, start + length, file, error};
}

/* Seven bits a byte, the lowest first; what is above 64 bits is dropped, as everywhere. */
static enum status read_varint(struct wire *wire, uint64_t *value)
{
    const unsigned char *at = wire->next;
    *value = 0;
    for (unsigned i = 0; i < MOST_VARINT_BYTES && wire->next < wire->end; i++) {
        unsigned char byte = *wire->next++;
        *value |= (uint64_t)(byte & 127) << 7 * i;
        if (byte < 128)
            return STATUS_OK;
    }
    return wire_fail(wire, at, "found a number without an end, expected at most 10 bytes of one");
}

static enum status read_fixed(struct wire *wire, unsigned bytes, uint64_t *value)
{
    if ((size_t)(wire->end - wire->next) < bytes)
        return wire_fail(wire, wire->next, "found %zu bytes, expected a number of %u",
                         (size_t)(wire->end - wire->next), bytes);
    *value = little_endian_get(wire->next, bytes);
    wire->next += bytes;
    return STATUS_OK;
}

static enum status read_bytes(struct wire *wire, struct wire_field *field)
{
    const unsigned char *at = wire->next;
    uint64_t length;
    TRY(read_varint(wire, &length));
    if (length > (size_t)(wire->end - wire->next))
        return wire_fail(wire, at, "found a length of %llu bytes, expected at most the %zu left",
                         (unsigned long long)length, (size_t)(wire->end - wire->next));
    field->is_bytes = true;
    field->bytes = wire->next;
    field->length = (size_t)length;
    wire->next += length;
    return STATUS_OK;
}

enum status wire_next(struct wire *wire, struct wire_field *field, bool *found)
{
    const unsigned char *at = wire->next;
    uint64_t tag;
    *field = (struct wire_field){.bytes = at};
    *found = at < wire->end;
    if (!*found)
        return STATUS_OK;
    TRY(read_varint(wire, &tag));
    if (tag >> TYPE_BITS == 0 || tag >> TYPE_BITS > UINT32_MAX >> TYPE_BITS)
        return wire_fail(wire, at, "found no field of a message, expected one");
    field->number = (uint32_t)(tag >> TYPE_BITS);
    switch (tag & 7) {
    case VARINT:
        return read_varint(wire, &field->value);
    case FIXED_64:
        return read_fixed(wire, 8, &field->value);
    case WIRE_LENGTH:
        return read_bytes(wire, field);
    case FIXED_32:
        return read_fixed(wire, 4, &field->value);
    default:
        return wire_fail(wire, at, "found a field of wire type %u, expected 0, 1, 2 or 5",
                         (unsigned)(tag & 7));
    }
}

static enum status open_message(const struct wire *wire, const struct wire_field *field,
                                struct wire *message)
{
    if (!field->is_bytes)
        return wire_fail(wire, field->bytes, "found a number as field %u, expected a message",
                         field->number);
    *message = *wire;
    message->next = field->bytes;
    message->end = field->bytes + field->length;
    return STATUS_OK;
}

enum status wire_read(struct wire wire, const struct wire_slot *slot)
{
    struct wire_field field;
    bool found;
    for (;;) {
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            return STATUS_OK;
        for (const struct wire_slot *s = slot; s->number; s++) {
            if (s->number == field.number && s->message)
                TRY(open_message(&wire, &field, s->message));
            else if (s->number == field.number)
                *s->value = field.value;
        }
    }
}

bool wire_each(struct wire *wire, uint32_t number, struct wire *message, enum status *status)
{
    struct wire_field field;
    bool found;
    do
        *status = wire_next(wire, &field, &found);
    while (!*status && found && field.number != number);
    if (!*status && found)
        *status = open_message(wire, &field, message);
    return !*status && found;
}

enum status wire_add_number(struct wire_numbers *numbers, uint64_t number, struct error *error)
{
    TRY_ADD(*numbers, error, number);
    return STATUS_OK;
}

enum status wire_numbers(struct wire wire, uint32_t number, struct wire_numbers *numbers)
{
    struct wire_field field;
    bool found;
    for (;;) {
        TRY(wire_next(&wire, &field, &found));
        if (!found)
            return STATUS_OK;
        if (field.number != number)
            continue;
        struct wire packed = wire;
        packed.next = field.bytes;
        packed.end = field.bytes + field.length;
        while (field.is_bytes && packed.next < packed.end) {
            TRY(read_varint(&packed, &field.value));
            TRY(wire_add_number(numbers, field.value, wire.error));
        }
        if (!field.is_bytes)
            TRY(wire_add_number(numbers, field.value, wire.error));
    }
}
