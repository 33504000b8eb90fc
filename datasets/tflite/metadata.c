#include "datasets/tflite/metadata.h"

#include <string.h>

/* Numbers of fields in the schema. */
enum {
    MODEL_VERSION,
    MODEL_CODES,
    MODEL_SUBGRAPHS,
    MODEL_DESCRIPTION,
    MODEL_BUFFERS,
    MODEL_METADATA_BUFFERS,
    MODEL_METADATA,
    MODEL_SIGNATURES,
    MODEL_FIELDS
};
enum { METADATA_NAME, METADATA_BUFFER };
enum { BUFFER_DATA, BUFFER_OFFSET };

/* Data of a buffer begins at a multiple of 16; the old model moves by a multiple of 64, so that
   what is aligned in it stays so. */
enum { OFFSET_BYTES = 4, DATA_ALIGNMENT = 16, FILE_ALIGNMENT = 64 };

enum status tflite_metadata_open(const struct text *model, const char *file,
                                 struct tflite_metadata *metadata, struct error *error)
{
    metadata->file =
        (struct flatbuffer){(const unsigned char *)model->bytes, model->length, file, error};
    TRY(flatbuffer_open(&metadata->file, "TFL3", &metadata->root));
    TRY(flatbuffer_vector(&metadata->root, MODEL_BUFFERS, OFFSET_BYTES, "buffers",
                          &metadata->buffers));
    return flatbuffer_vector(&metadata->root, MODEL_METADATA, OFFSET_BYTES, "metadata",
                             &metadata->metadata);
}

static enum status has_name(const struct tflite_metadata *metadata, uint32_t index,
                            const char *name, bool *has, struct flatbuffer_table *entry)
{
    struct flatbuffer_vector found;
    TRY(flatbuffer_element_table(&metadata->metadata, index, "metadata", entry));
    TRY(flatbuffer_vector(entry, METADATA_NAME, 1, "a name", &found));
    *has = found.count == strlen(name) &&
           memcmp(metadata->file.bytes + found.at, name, found.count) == 0;
    return STATUS_OK;
}

enum status tflite_metadata_find(const struct tflite_metadata *metadata, const char *name,
                                 bool *found, struct flatbuffer_vector *data)
{
    *found = false;
    for (uint32_t i = 0; i < metadata->metadata.count && !*found; i++) {
        struct flatbuffer_table entry, buffer;
        uint64_t index;
        TRY(has_name(metadata, i, name, found, &entry));
        if (!*found)
            continue;
        TRY(flatbuffer_number(&entry, METADATA_BUFFER, OFFSET_BYTES, 0, &index));
        if (index >= metadata->buffers.count)
            return flatbuffer_fail(&metadata->file, entry.at,
                                   "found metadata in buffer %u, expected one of %u",
                                   (unsigned)index, metadata->buffers.count);
        TRY(flatbuffer_element_table(&metadata->buffers, (uint32_t)index, "a buffer", &buffer));
        TRY(flatbuffer_vector(&buffer, BUFFER_DATA, 1, "data", data));
    }
    return STATUS_OK;
}

/* What stands before the model in its copy. Offsets of a FlatBuffer point forward only, so that a
   new root can point into the old model and not the other way round. It is written twice, since how
   long it is has to be known. */
struct front {
    const struct tflite_metadata *metadata;
    const char *name;
    const struct text *bytes;
    struct text *out;
    size_t begin;  /* of the copy in out */
    size_t length; /* of the front, 0 while it is not known */
};

static size_t get_position(const struct front *front)
{
    return front->out->length - front->begin;
}

static void put_number(const struct front *front, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        char byte = (char)(number >> 8 * i & 255);
        text_append_bytes(front->out, &byte, 1);
    }
}

/* Pads so that what comes `before` bytes later is at a multiple of the alignment. */
static void pad(const struct front *front, size_t alignment, size_t before)
{
    while ((get_position(front) + before) % alignment && !front->out->failed)
        put_number(front, 0, 1);
}

/* Makes the offset at `at` point to what is written next. */
static void point_here(const struct front *front, size_t at)
{
    size_t distance = get_position(front) - at;
    for (unsigned i = 0; i < OFFSET_BYTES && !front->out->failed; i++)
        front->out->bytes[front->begin + at + i] = (char)(distance >> 8 * i & 255);
}

/* Writes an offset to a place in the old model. */
static void put_old(const struct front *front, size_t place)
{
    put_number(front, front->length + place - get_position(front), OFFSET_BYTES);
}

/* Where the new root holds the offsets of the new lists. */
struct slots {
    size_t buffers, metadata;
};

/* The fields of the old model keep their places, except for the version, which is a number, and the
   new lists. */
static enum status put_root(const struct front *front, struct slots *slots)
{
    enum { VTABLE_BYTES = 4 + 2 * MODEL_FIELDS };
    size_t place[MODEL_FIELDS] = {0}; /* in the old model, 0 for a field that it does not have */
    uint64_t version;
    unsigned used = OFFSET_BYTES;
    TRY(flatbuffer_number(&front->metadata->root, MODEL_VERSION, 4, 0, &version));
    for (unsigned f = MODEL_CODES; f < MODEL_FIELDS; f++) {
        struct flatbuffer_vector vector; /* or a string */
        TRY(flatbuffer_vector(&front->metadata->root, f, 1, "a field of the model", &vector));
        place[f] = vector.at ? vector.at - OFFSET_BYTES : 0;
    }
    place[MODEL_VERSION] = place[MODEL_BUFFERS] = place[MODEL_METADATA] = 1;
    put_number(front, 0, OFFSET_BYTES);
    text_append_bytes(front->out, "TFL3", 4);
    size_t vtable = get_position(front);
    put_number(front, VTABLE_BYTES, 2);
    put_number(front, OFFSET_BYTES * (MODEL_FIELDS + 1), 2);
    for (unsigned f = 0; f < MODEL_FIELDS; f++, used += OFFSET_BYTES)
        put_number(front, place[f] ? used : 0, 2);
    point_here(front, 0);
    put_number(front, get_position(front) - vtable, OFFSET_BYTES);
    put_number(front, version, OFFSET_BYTES);
    for (unsigned f = MODEL_CODES; f < MODEL_FIELDS; f++) {
        if (f == MODEL_BUFFERS)
            slots->buffers = get_position(front);
        if (f == MODEL_METADATA)
            slots->metadata = get_position(front);
        if (!place[f] || f == MODEL_BUFFERS || f == MODEL_METADATA)
            put_number(front, 0, OFFSET_BYTES);
        else
            put_old(front, place[f]);
    }
    return STATUS_OK;
}

/* Writes the list of buffers with one more; *last is where the offset of the new buffer has to be
   written. Refuses a model whose constants lie behind the FlatBuffer, as in the largest ones, since
   their offsets in the file would change. */
static enum status put_buffers(const struct front *front, size_t *last)
{
    const struct flatbuffer_vector *buffers = &front->metadata->buffers;
    put_number(front, (uint64_t)buffers->count + 1, OFFSET_BYTES);
    for (uint32_t i = 0; i < buffers->count; i++) {
        struct flatbuffer_table buffer;
        uint64_t offset;
        TRY(flatbuffer_element_table(buffers, i, "a buffer", &buffer));
        TRY(flatbuffer_number(&buffer, BUFFER_OFFSET, 8, 0, &offset));
        if (offset > 1)
            return flatbuffer_fail(buffer.buffer, buffer.at,
                                   "found a buffer behind the FlatBuffer, expected all inside it");
        put_old(front, buffer.at);
    }
    *last = get_position(front);
    put_number(front, 0, OFFSET_BYTES);
    return STATUS_OK;
}

/* Writes the list of metadata without those of the name, and with a new one. */
static enum status put_metadata(const struct front *front, size_t *last)
{
    const struct flatbuffer_vector *metadata = &front->metadata->metadata;
    struct flatbuffer_table entry;
    uint32_t kept = 0;
    bool has;
    for (uint32_t i = 0; i < metadata->count; i++) {
        TRY(has_name(front->metadata, i, front->name, &has, &entry));
        kept += !has;
    }
    put_number(front, (uint64_t)kept + 1, OFFSET_BYTES);
    for (uint32_t i = 0; i < metadata->count; i++) {
        TRY(has_name(front->metadata, i, front->name, &has, &entry));
        if (!has)
            put_old(front, entry.at);
    }
    *last = get_position(front);
    put_number(front, 0, OFFSET_BYTES);
    return STATUS_OK;
}

/* The head of a table with `fields` fields of 4 bytes, to which the offset at `from` points. */
static void put_table(const struct front *front, size_t from, unsigned fields)
{
    unsigned vtable_bytes = 4 + 2 * fields;
    pad(front, OFFSET_BYTES, vtable_bytes);
    put_number(front, vtable_bytes, 2);
    put_number(front, OFFSET_BYTES * (fields + 1), 2);
    for (unsigned f = 0; f < fields; f++)
        put_number(front, OFFSET_BYTES * (f + 1), 2);
    point_here(front, from);
    put_number(front, vtable_bytes, OFFSET_BYTES);
}

static enum status put_front(const struct front *front)
{
    struct slots slots = {0};
    size_t buffer = 0, entry = 0;
    TRY(put_root(front, &slots));
    point_here(front, slots.buffers);
    TRY(put_buffers(front, &buffer));
    point_here(front, slots.metadata);
    TRY(put_metadata(front, &entry));

    put_table(front, entry, 2);
    size_t name = get_position(front);
    put_number(front, 0, OFFSET_BYTES);
    put_number(front, front->metadata->buffers.count, OFFSET_BYTES);
    put_table(front, buffer, 1);
    size_t data = get_position(front);
    put_number(front, 0, OFFSET_BYTES);
    point_here(front, name);
    put_number(front, strlen(front->name), OFFSET_BYTES);
    text_append_bytes(front->out, front->name, strlen(front->name) + 1);
    pad(front, DATA_ALIGNMENT, OFFSET_BYTES);
    point_here(front, data);
    put_number(front, front->bytes->length, OFFSET_BYTES);
    text_append_bytes(front->out, front->bytes->bytes, front->bytes->length);
    pad(front, FILE_ALIGNMENT, 0);
    return text_check(front->out, front->metadata->file.error);
}

enum status tflite_metadata_replace(const struct tflite_metadata *metadata, const char *name,
                                    const struct text *bytes, struct text *copy)
{
    SCOPED(text_free) struct text measured = {0};
    struct front front = {.metadata = metadata, .name = name, .bytes = bytes, .out = &measured};
    unsigned fields = (metadata->root.vtable_bytes - 4) / 2;
    if (fields > MODEL_FIELDS)
        return flatbuffer_fail(&metadata->file, metadata->root.vtable,
                               "found a model of %u fields, expected at most %d", fields,
                               MODEL_FIELDS);
    TRY(put_front(&front));
    front.length = measured.length;
    if (front.length + metadata->file.length > INT32_MAX)
        return flatbuffer_fail(&metadata->file, 0,
                               "found a model that would be 2 GiB or more with its plan");
    front.out = copy;
    front.begin = copy->length;
    TRY(put_front(&front));
    text_append_bytes(copy, (const char *)metadata->file.bytes, metadata->file.length);
    return text_check(copy, metadata->file.error);
}
