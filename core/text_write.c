#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/text.h"

static enum status write_stream(FILE *stream, const char *path, const struct text *text,
                                struct error *error)
{
    size_t written = text->length ? fwrite(text->bytes, 1, text->length, stream) : 0;
    bool failed = written != text->length;
    failed |= fclose(stream) != 0;
    if (failed)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* Faults are of path, also where a file beside it is written first. */
static enum status open_for_writing(const char *opened, const char *path, FILE **stream,
                                    struct error *error)
{
    *stream = fopen(opened, "wb");
    if (!*stream)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot create: %s", strerror(errno));
    return STATUS_OK;
}

static enum status write_and_rename(const char *path, const char *beside, const struct text *text,
                                    struct error *error)
{
    FILE *stream;
    TRY(open_for_writing(beside, path, &stream, error));
    enum status status = write_stream(stream, path, text, error);
    if (!status && rename(beside, path) != 0)
        status =
            error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot create: %s", strerror(errno));
    if (status)
        unlink(beside);
    return status;
}

enum status text_write_file(const char *path, const struct text *text, struct error *error)
{
    struct stat found;
    struct text beside = {0};
    TRY(text_check(text, error));
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        FILE *stream;
        TRY(open_for_writing(path, path, &stream, error));
        return write_stream(stream, path, text, error);
    }
    text_append(&beside, "%s.%ld.part", path, (long)getpid());
    enum status status = text_check(&beside, error);
    if (!status)
        status = write_and_rename(path, beside.bytes, text, error);
    text_free(&beside);
    return status;
}
