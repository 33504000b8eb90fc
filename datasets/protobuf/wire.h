#ifndef MEMPLAN_DATASETS_PROTOBUF_WIRE_H
#define MEMPLAN_DATASETS_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Reads messages of Protocol Buffers (protobuf.dev, encoding) without a schema, field by field.
   Nothing outside the message is read. Messages of errors are
   "file: byte offset N: what was found, what was expected". */
struct wire {
    const unsigned char *start; /* of the file, for places in it */
    const unsigned char *next, *end;
    const char *file;
    struct error *error;
};

/* A message or text without what it shares with the rest of its file, to be kept in numbers. */
struct wire_place {
    const unsigned char *next, *end;
};

static inline struct wire_place wire_place(const struct wire *wire)
{
    return (struct wire_place){wire->next, wire->end};
}

/* The message at a place of the file that `file` is of. */
static inline struct wire wire_at(const struct wire *file, struct wire_place place)
{
    return (struct wire){file->start, place.next, place.end, file->file, file->error};
}

struct wire_field {
    uint32_t number;
    bool is_bytes; /* a text, a message, a packed list: `bytes` and `length`; else `value` */
    uint64_t value;
    const unsigned char *bytes;
    size_t length;
};

/* The kind of a field that is_bytes: the low three bits of what a file has before its length. */
enum { WIRE_LENGTH = 2 };

/* The message that is a whole file. */
struct wire wire_open(const void *bytes, size_t length, const char *file, struct error *error);

/* The next field; *found is false behind the last one. STATUS_BAD_INPUT for what is no field. */
enum status wire_next(struct wire *wire, struct wire_field *field, bool *found);

/* A field that a message may have: its number goes to *value, its bytes, a message or a text, to
 *message. Of several with this number the last one counts. */
struct wire_slot {
    uint32_t number;
    uint64_t *value;
    struct wire *message;
};

/* Reads the fields that the slots name, up to the first slot of number 0, and skips all others.
   What is not there leaves what its slot points to as it is. STATUS_BAD_INPUT for a number where a
   message is asked for. */
enum status wire_read(struct wire wire, const struct wire_slot *slot);
#define WIRE_READ(wire, ...) wire_read(wire, (const struct wire_slot[]){__VA_ARGS__, {.number = 0}})

/* Goes to the next message in a field of that number. False behind the last one, and where that
   fails, as *status says. */
bool wire_each(struct wire *wire, uint32_t number, struct wire *message, enum status *status);

/* Appends a number, or those in all fields of a message with this number, packed or one by one. The
   caller frees the items. */
struct wire_numbers {
    uint64_t *item; /* [count] */
    uint32_t count;
    size_t capacity;
};
enum status wire_add_number(struct wire_numbers *numbers, uint64_t number, struct error *error);
enum status wire_numbers(struct wire wire, uint32_t number, struct wire_numbers *numbers);

/* Fails with STATUS_BAD_INPUT at a place of the file. */
#define wire_fail(wire, at, ...)                                                                   \
    error_set_byte((wire)->error, (wire)->file, (size_t)((at) - (wire)->start), __VA_ARGS__)

#endif
