#ifndef MEMPLAN_DATASETS_FLATBUFFER_FLATBUFFER_H
#define MEMPLAN_DATASETS_FLATBUFFER_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/text.h"

/* Reads FlatBuffers (flatbuffers.dev, internals) without a schema: every offset and length is
   checked against the file before it is followed, so nothing outside it is ever read. Fields are
   named by their number in the schema. `what` names a thing in messages, which are
   "file: byte offset N: what was found, what was expected". */
struct flatbuffer {
    const unsigned char *bytes;
    size_t length;
    const char *file;
    struct error *error; /* filled by every function below that fails */
};

struct flatbuffer_table {
    const struct flatbuffer *buffer;
    size_t at;     /* of the table in the file */
    size_t vtable; /* of the list of its fields */
    uint32_t bytes, vtable_bytes;
};

struct flatbuffer_vector {
    const struct flatbuffer *buffer;
    size_t at; /* of element 0 */
    uint32_t count;
};

/* Reads the root table of a file whose four characters at byte 4 are the identifier. The buffer is
   filled by the caller and must outlive all that is read of it. */
enum status flatbuffer_open(const struct flatbuffer *buffer, const char *identifier,
                            struct flatbuffer_table *root);

/* The little-endian number of `bytes` bytes in a field, zero-extended; fallback where the table
   does not have the field. */
enum status flatbuffer_number(const struct flatbuffer_table *table, unsigned field, unsigned bytes,
                              uint64_t fallback, uint64_t *number);

/* The byte of the file at which a field stands, of this many bytes; 0 where the table does not have
   it. */
enum status flatbuffer_place(const struct flatbuffer_table *table, unsigned field, unsigned bytes,
                             size_t *at);

/* The table that a field points to; *found is false where the field is missing. */
enum status flatbuffer_table(const struct flatbuffer_table *table, unsigned field, const char *what,
                             bool *found, struct flatbuffer_table *child);

/* The vector (of elements of element_bytes) that a field points to; a missing one is empty. Strings
   are vectors of bytes. */
enum status flatbuffer_vector(const struct flatbuffer_table *table, unsigned field,
                              unsigned element_bytes, const char *what,
                              struct flatbuffer_vector *vector);

/* Elements of a vector that was read with the element size 4; index is below its count. */
uint32_t flatbuffer_element(const struct flatbuffer_vector *vector, uint32_t index);
/* An element of a vector whose elements have 8 bytes. */
uint64_t flatbuffer_element_wide(const struct flatbuffer_vector *vector, uint32_t index);
enum status flatbuffer_element_table(const struct flatbuffer_vector *vector, uint32_t index,
                                     const char *what, struct flatbuffer_table *child);
enum status flatbuffer_element_vector(const struct flatbuffer_vector *vector, uint32_t index,
                                      unsigned element_bytes, const char *what,
                                      struct flatbuffer_vector *child);

/* Fails with STATUS_BAD_INPUT at a byte of the file. */
#define flatbuffer_fail(buffer, at, ...)                                                           \
    error_set_byte((buffer)->error, (buffer)->file, at, __VA_ARGS__)

#endif
