#include "datasets/tflite/offline.h"

#include "core/little_endian.h"
#include "core/memory.h"
#include "datasets/tflite/metadata.h"

enum { VERSION = 1, HEADER = 3, WORD_BYTES = 4 };

void tflite_offline_clear(struct tflite_offline *offline)
{
    memory_free(offline->offset);
    *offline = (struct tflite_offline){0};
}

static void append_word(struct text *bytes, uint32_t word)
{
    const char byte[WORD_BYTES] = {(char)(word & 255), (char)(word >> 8 & 255),
                                   (char)(word >> 16 & 255), (char)(word >> 24 & 255)};
    text_append_bytes(bytes, byte, sizeof byte);
}

void tflite_offline_write(const struct tflite_offline *offline, struct text *bytes)
{
    append_word(bytes, VERSION);
    append_word(bytes, 0);
    append_word(bytes, offline->tensors);
    for (uint32_t t = 0; t < offline->tensors; t++)
        append_word(bytes, (uint32_t)offline->offset[t]);
}

/* A list of words somewhere in a file. */
struct words {
    const struct flatbuffer *file;
    size_t at;
    uint32_t bytes;
};

static uint32_t get_word(const struct words *words, uint32_t index)
{
    return (uint32_t)little_endian_get(words->file->bytes + words->at + (size_t)index * WORD_BYTES,
                                       WORD_BYTES);
}

static enum status read_words(const struct words *words, struct tflite_offline *offline)
{
    uint32_t follow = words->bytes / WORD_BYTES - HEADER;
    if (words->bytes < HEADER * WORD_BYTES || words->bytes % WORD_BYTES)
        return flatbuffer_fail(
            words->file, words->at,
            "found an offline plan of %u bytes, expected 12 and 4 for each tensor", words->bytes);
    if (get_word(words, 0) > VERSION)
        return flatbuffer_fail(words->file, words->at,
                               "found an offline plan of version %u, expected 0 or 1",
                               get_word(words, 0));
    if (get_word(words, 1))
        return flatbuffer_fail(words->file, words->at + WORD_BYTES,
                               "found an offline plan of subgraph %u, expected subgraph 0",
                               get_word(words, 1));
    if (get_word(words, 2) != follow)
        return flatbuffer_fail(words->file, words->at + 2 * WORD_BYTES,
                               "found %u as the number of offsets, expected %u, which follow",
                               get_word(words, 2), follow);
    TRY(memory_create(&offline->offset, follow, sizeof *offline->offset, words->file->error));
    offline->tensors = follow;
    for (uint32_t t = 0; t < follow; t++) {
        int32_t offset = (int32_t)get_word(words, HEADER + t);
        offline->offset[t] = offset;
        if (offset >= TFLITE_OFFLINE_LATER)
            continue;
        tflite_offline_clear(offline);
        return flatbuffer_fail(words->file, words->at + (size_t)(HEADER + t) * WORD_BYTES,
                               "found offset %d of tensor %u, expected -1 or more", (int)offset, t);
    }
    return STATUS_OK;
}

enum status tflite_offline_read(const struct text *bytes, const char *file,
                                struct tflite_offline *offline, struct error *error)
{
    const struct flatbuffer buffer = {(const unsigned char *)bytes->bytes, bytes->length, file,
                                      error};
    *offline = (struct tflite_offline){0};
    if (bytes->length > INT32_MAX)
        return flatbuffer_fail(&buffer, 0, "found 2 GiB or more, expected an offline plan");
    return read_words(&(struct words){&buffer, 0, (uint32_t)bytes->length}, offline);
}

enum status tflite_offline_find(const struct text *model, const char *file,
                                struct tflite_offline *offline, struct error *error)
{
    struct tflite_metadata metadata;
    struct flatbuffer_vector data;
    bool found;
    *offline = (struct tflite_offline){0};
    TRY(tflite_metadata_open(model, file, &metadata, error));
    TRY(tflite_metadata_find(&metadata, TFLITE_OFFLINE_NAME, &found, &data));
    if (!found)
        return flatbuffer_fail(&metadata.file, metadata.root.at,
                               "found no metadata '" TFLITE_OFFLINE_NAME
                               "', expected a model that carries a plan");
    return read_words(&(struct words){&metadata.file, data.at, data.count}, offline);
}

enum status tflite_offline_embed(const struct text *model, const char *file,
                                 const struct text *bytes, struct text *copy, struct error *error)
{
    struct tflite_metadata metadata;
    TRY(tflite_metadata_open(model, file, &metadata, error));
    return tflite_metadata_replace(&metadata, TFLITE_OFFLINE_NAME, bytes, copy);
}
