#include "datasets/flatbuffer/flatbuffer.h"

#include <string.h>

#include "core/little_endian.h"

/* Sizes in the format. The list of a table's fields begins with its own length and that of the
   table; a table begins with the distance to its list. */
enum { VTABLE_HEAD = 4, TABLE_HEAD = 4, OFFSET_BYTES = 4, ENTRY_BYTES = 2 };

/* Reads a little-endian number. The caller has checked that at + bytes is inside the file. */
static uint64_t get_number(const struct flatbuffer *buffer, size_t at, unsigned bytes)
{
    return little_endian_get(buffer->bytes + at, bytes);
}

static uint32_t get_u32(const struct flatbuffer *buffer, size_t at)
{
    return (uint32_t)get_number(buffer, at, OFFSET_BYTES);
}

static bool is_inside(const struct flatbuffer *buffer, uint64_t at, uint64_t bytes)
{
    return at <= buffer->length && bytes <= buffer->length - at;
}

/* Follows the offset at `at`, which is counted from that place, and checks that at least `least`
   bytes are at its target. */
static enum status follow_offset(const struct flatbuffer *buffer, size_t at, unsigned least,
                                 const char *what, size_t *target)
{
    uint64_t offset = get_u32(buffer, at);
    if (offset < OFFSET_BYTES || !is_inside(buffer, at + offset, least))
        return flatbuffer_fail(buffer, at,
                               "found offset %llu to %s, expected one inside the file of %zu bytes",
                               (unsigned long long)offset, what, buffer->length);
    *target = at + (size_t)offset;
    return STATUS_OK;
}

static enum status read_table(const struct flatbuffer *buffer, size_t at, const char *what,
                              struct flatbuffer_table *table)
{
    int64_t distance = (int32_t)get_u32(buffer, at), found = (int64_t)at - distance;
    if (found < 0 || !is_inside(buffer, (uint64_t)found, VTABLE_HEAD))
        return flatbuffer_fail(
            buffer, at, "found the fields of %s %lld bytes before it, expected them in the file",
            what, (long long)distance);
    size_t vtable = (size_t)found;
    *table = (struct flatbuffer_table){
        .buffer = buffer,
        .at = at,
        .vtable = vtable,
        .vtable_bytes = (uint32_t)get_number(buffer, vtable, ENTRY_BYTES),
        .bytes = (uint32_t)get_number(buffer, vtable + ENTRY_BYTES, ENTRY_BYTES),
    };
    if (table->vtable_bytes < VTABLE_HEAD || !is_inside(buffer, vtable, table->vtable_bytes))
        return flatbuffer_fail(buffer, vtable,
                               "found a list of fields of %u bytes in %s, expected 4 or more, "
                               "inside the file",
                               table->vtable_bytes, what);
    if (table->bytes < TABLE_HEAD || !is_inside(buffer, at, table->bytes))
        return flatbuffer_fail(buffer, at,
                               "found %s of %u bytes, expected 4 or more, inside the file", what,
                               table->bytes);
    return STATUS_OK;
}

enum status flatbuffer_open(const struct flatbuffer *buffer, const char *identifier,
                            struct flatbuffer_table *root)
{
    size_t at = 0;
    if (buffer->length < 8 || memcmp(buffer->bytes + 4, identifier, 4) != 0)
        return flatbuffer_fail(buffer, 4, "found no identifier, expected \"%s\"", identifier);
    TRY(follow_offset(buffer, 0, TABLE_HEAD, "the root table", &at));
    return read_table(buffer, at, "the root table", root);
}

enum status flatbuffer_place(const struct flatbuffer_table *table, unsigned field, unsigned bytes,
                             size_t *at)
{
    uint32_t entry = VTABLE_HEAD + ENTRY_BYTES * field;
    *at = 0;
    if (entry + ENTRY_BYTES > table->vtable_bytes)
        return STATUS_OK;
    uint32_t offset = (uint32_t)get_number(table->buffer, table->vtable + entry, ENTRY_BYTES);
    if (!offset)
        return STATUS_OK;
    if (offset < TABLE_HEAD || offset + bytes > table->bytes)
        return flatbuffer_fail(table->buffer, table->vtable + entry,
                               "found field %u at %u of a table of %u bytes, expected it inside",
                               field, offset, table->bytes);
    *at = table->at + offset;
    return STATUS_OK;
}

enum status flatbuffer_number(const struct flatbuffer_table *table, unsigned field, unsigned bytes,
                              uint64_t fallback, uint64_t *number)
{
    size_t at = 0;
    TRY(flatbuffer_place(table, field, bytes, &at));
    *number = at ? get_number(table->buffer, at, bytes) : fallback;
    return STATUS_OK;
}

enum status flatbuffer_table(const struct flatbuffer_table *table, unsigned field, const char *what,
                             bool *found, struct flatbuffer_table *child)
{
    size_t at = 0, target = 0;
    TRY(flatbuffer_place(table, field, OFFSET_BYTES, &at));
    *found = at != 0;
    if (!at)
        return STATUS_OK;
    TRY(follow_offset(table->buffer, at, TABLE_HEAD, what, &target));
    return read_table(table->buffer, target, what, child);
}

/* The vector whose offset stands at a byte of the file. */
static enum status read_vector(const struct flatbuffer *buffer, size_t at, unsigned element_bytes,
                               const char *what, struct flatbuffer_vector *vector)
{
    size_t target = 0;
    TRY(follow_offset(buffer, at, OFFSET_BYTES, what, &target));
    *vector = (struct flatbuffer_vector){buffer, target + OFFSET_BYTES, get_u32(buffer, target)};
    if (is_inside(buffer, vector->at, (uint64_t)vector->count * element_bytes))
        return STATUS_OK;
    return flatbuffer_fail(buffer, target,
                           "found %u elements of %s, expected no more than the file holds",
                           vector->count, what);
}

enum status flatbuffer_vector(const struct flatbuffer_table *table, unsigned field,
                              unsigned element_bytes, const char *what,
                              struct flatbuffer_vector *vector)
{
    size_t at = 0;
    *vector = (struct flatbuffer_vector){.buffer = table->buffer};
    TRY(flatbuffer_place(table, field, OFFSET_BYTES, &at));
    return at ? read_vector(table->buffer, at, element_bytes, what, vector) : STATUS_OK;
}

uint32_t flatbuffer_element(const struct flatbuffer_vector *vector, uint32_t index)
{
    return get_u32(vector->buffer, vector->at + (size_t)index * OFFSET_BYTES);
}

uint64_t flatbuffer_element_wide(const struct flatbuffer_vector *vector, uint32_t index)
{
    return get_number(vector->buffer, vector->at + (size_t)index * 8, 8);
}

enum status flatbuffer_element_table(const struct flatbuffer_vector *vector, uint32_t index,
                                     const char *what, struct flatbuffer_table *child)
{
    size_t target = 0, at = vector->at + (size_t)index * OFFSET_BYTES;
    TRY(follow_offset(vector->buffer, at, TABLE_HEAD, what, &target));
    return read_table(vector->buffer, target, what, child);
}

enum status flatbuffer_element_vector(const struct flatbuffer_vector *vector, uint32_t index,
                                      unsigned element_bytes, const char *what,
                                      struct flatbuffer_vector *child)
{
    size_t at = vector->at + (size_t)index * OFFSET_BYTES;
    return read_vector(vector->buffer, at, element_bytes, what, child);
}
