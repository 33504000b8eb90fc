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

struct wire_field {
    uint32_t number;
    bool is_bytes; /* a text, a message, a packed list: `bytes` and `length`; else `value` */
    uint64_t value;
    const unsigned char *bytes;
    size_t length;
};

/* The message that is a whole file. */
struct wire wire_open(const void *bytes, size_t length, const char *file, struct error *error);

/* The next field; *found is false behind the last one. STATUS_BAD_INPUT for what is no field. */
enum status wire_next(struct wire *wire, struct wire_field *field, bool *found);

/* The message in a field. STATUS_BAD_INPUT for a number; `what` names it. */
enum status wire_message(const struct wire *wire, const struct wire_field *field, const char *what,
                         struct wire *message);

/* Fails with STATUS_BAD_INPUT at a place of the file. */
enum status wire_fail(const struct wire *wire, const unsigned char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
