#include "core/gzip.h"

#include <zlib.h>

#include "core/memory.h"

/* zlib's numbers for the widest window: with a gzip header around it, and without any header. */
enum { GZIP_WINDOW = 15 + 16, RAW_WINDOW = -15, CHUNK_BYTES = 1 << 16 };

static const size_t most_bytes = (size_t)1 << 31;

static void *allocate(void *context, unsigned count, unsigned item_bytes)
{
    (void)context;
    return memory_allocate(count, item_bytes);
}

static void release(void *context, void *block)
{
    (void)context;
    memory_free(block);
}

static z_stream make_stream(const char *input, size_t bytes)
{
    return (z_stream){.next_in = (unsigned char *)input,
                      .avail_in = (unsigned)bytes,
                      .zalloc = allocate,
                      .zfree = release};
}

static enum status fail_to_read(const char *path, const char *what, struct error *error)
{
    return error_set_at(error, STATUS_BAD_INPUT, path, 0, "found %s, expected a gzip file", what);
}

/* Appends what is in the compressed bytes, part by part. */
static enum status inflate_text(z_stream *stream, const char *path, struct text *text,
                                struct error *error)
{
    char chunk[CHUNK_BYTES];
    while (true) {
        stream->next_out = (unsigned char *)chunk;
        stream->avail_out = sizeof chunk;
        int answer = inflate(stream, Z_NO_FLUSH);
        if (answer == Z_MEM_ERROR)
            return error_no_memory(error);
        if (answer == Z_BUF_ERROR)
            return fail_to_read(path, "a file that is cut off", error);
        if (answer != Z_OK && answer != Z_STREAM_END)
            return fail_to_read(path, "damaged bytes", error);
        text_append_bytes(text, chunk, sizeof chunk - stream->avail_out);
        TRY(text_check(text, error));
        if (text->length > most_bytes)
            return fail_to_read(path, "more than 2 GiB in it", error);
        if (answer == Z_STREAM_END && !stream->avail_in)
            return STATUS_OK;
        if (answer == Z_STREAM_END && inflateReset(stream) != Z_OK)
            return error_no_memory(error);
    }
}

enum status gzip_read_file(const char *path, struct text *text, struct error *error)
{
    SCOPED(text_free) struct text packed = {0};
    *text = (struct text){0};
    TRY(text_read_file(path, &packed, error));
    text_append_bytes(text, "", 0);
    z_stream stream = make_stream(packed.bytes, packed.length);
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        return error_no_memory(error);
    enum status status = inflate_text(&stream, path, text, error);
    inflateEnd(&stream);
    return status;
}

enum status gzip_inflate_raw(const char *packed, size_t packed_bytes, char *bytes, size_t length,
                             bool *is_whole, struct error *error)
{
    z_stream stream = make_stream(packed, packed_bytes);
    *is_whole = packed_bytes <= most_bytes && length <= most_bytes;
    if (!*is_whole)
        return STATUS_OK;
    stream.next_out = (unsigned char *)bytes;
    stream.avail_out = (unsigned)length;
    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        return error_no_memory(error);
    int answer = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    *is_whole = answer == Z_STREAM_END && !stream.avail_out;
    return answer == Z_MEM_ERROR ? error_no_memory(error) : STATUS_OK;
}

enum status gzip_pack(const struct text *text, struct text *packed, struct error *error)
{
    char chunk[CHUNK_BYTES];
    z_stream stream = make_stream(text->bytes, text->length);
    int answer;
    if (text->length > most_bytes)
        return error_set(error, STATUS_BAD_INPUT,
                         "found %zu bytes to write, expected at most 2 GiB", text->length);
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return error_no_memory(error);
    do {
        stream.next_out = (unsigned char *)chunk;
        stream.avail_out = sizeof chunk;
        answer = deflate(&stream, Z_FINISH);
        text_append_bytes(packed, chunk, sizeof chunk - stream.avail_out);
    } while (answer == Z_OK);
    deflateEnd(&stream);
    return text_check(packed, error);
}

enum status gzip_write_file(const char *path, const struct text *text, struct error *error)
{
    SCOPED(text_free) struct text packed = {0};
    TRY(gzip_pack(text, &packed, error));
    return text_write_file(path, &packed, error);
}
