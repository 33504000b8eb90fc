#include "core/text_stream.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_BYTES = 1 << 20 };

static enum status fail(const char *path, const char *what, struct error *error)
{
    return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot %s: %s", what, strerror(errno));
}

/* A pipe or a terminal cannot be replaced and is written straight. */
static bool is_written_straight(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

enum status text_stream_open(struct text_stream *stream, const char *path, struct error *error)
{
    *stream = (struct text_stream){.path = path};
    if (is_written_straight(path))
        text_append(&stream->beside, "%s", path);
    else
        text_append(&stream->beside, "%s.%ld.part", path, (long)getpid());
    TRY(text_check(&stream->beside, error));
    stream->file = fopen(stream->beside.bytes, "wb");
    return stream->file ? STATUS_OK : fail(stream->beside.bytes, "create", error);
}

static enum status write_all(struct text_stream *stream, struct error *error)
{
    struct text *text = &stream->text;
    TRY(text_check(text, error));
    if (text->length && fwrite(text->bytes, 1, text->length, stream->file) != text->length)
        return fail(stream->path, "write", error);
    text->length = 0;
    return STATUS_OK;
}

enum status text_stream_flush(struct text_stream *stream, struct error *error)
{
    if (stream->text.length < FLUSH_BYTES && !stream->text.failed)
        return STATUS_OK;
    return write_all(stream, error);
}

static enum status end_file(struct text_stream *stream, enum status status, struct error *error)
{
    bool straight = strcmp(stream->beside.bytes, stream->path) == 0;
    if (!status)
        status = write_all(stream, error);
    if (fclose(stream->file) != 0 && !status)
        status = fail(stream->path, "write", error);
    if (!status && !straight && rename(stream->beside.bytes, stream->path) != 0)
        status = fail(stream->path, "create", error);
    if (status && !straight)
        unlink(stream->beside.bytes);
    return status;
}

enum status text_stream_close(struct text_stream *stream, enum status status, struct error *error)
{
    if (stream->file)
        status = end_file(stream, status, error);
    text_free(&stream->text);
    text_free(&stream->beside);
    *stream = (struct text_stream){0};
    return status;
}
