#include "harness/cache/archive.h"

#include <assert.h>
#include <string.h>
#include <zstd.h>

#include "core/digest.h"
#include "core/little_endian.h"
#include "core/memory.h"

static const char identity[4] = "MPLA";

enum {
    VERSION = 1,
    HEADER_BYTES = 1024,
    ENTRY_BYTES = 40,
    TAIL_BYTES = DIGEST_TEXT_BYTES - 1,
    VERSION_AT = 4,
    BODIES_AT = 8,
    NAME_BYTES_AT = 12,
    TOTAL_AT = 16,
    NAME_AT = 24,
    OFFSET_AT = ARCHIVE_KIND_BYTES,
    STORED_AT = OFFSET_AT + 8,
    WHOLE_AT = STORED_AT + 8,
    COMPRESSION_LEVEL = 3
};

/* A body that would be longer when it is unpacked is refused. */
static const uint64_t most_whole_bytes = UINT64_C(1) << 31;

struct text *archive_add(struct archive *archive, const char *kind)
{
    assert(archive->bodies < ARCHIVE_MOST_BODIES && strlen(kind) < ARCHIVE_KIND_BYTES);
    struct archive_body *body = &archive->body[archive->bodies++];
    memset(body, 0, sizeof *body);
    memcpy(body->kind, kind, strlen(kind));
    return &body->text;
}

const struct text *archive_find(const struct archive *archive, const char *kind)
{
    for (uint32_t i = 0; i < archive->bodies; i++)
        if (strcmp(archive->body[i].kind, kind) == 0)
            return &archive->body[i].text;
    return NULL;
}

void archive_free(struct archive *archive)
{
    for (uint32_t i = 0; i < archive->bodies; i++)
        text_free(&archive->body[i].text);
    archive->bodies = 0;
}

enum status archive_write(const struct archive *archive, struct text *bytes, struct error *error)
{
    static const char zeros[HEADER_BYTES + ARCHIVE_MOST_BODIES * ENTRY_BYTES];
    char digest[DIGEST_TEXT_BYTES];
    assert(bytes->length == 0 && archive->bodies <= ARCHIVE_MOST_BODIES);
    text_append_bytes(bytes, zeros, HEADER_BYTES + archive->bodies * (size_t)ENTRY_BYTES);
    TRY(text_check(bytes, error));
    for (uint32_t i = 0; i < archive->bodies; i++) {
        const struct archive_body *body = &archive->body[i];
        size_t most = ZSTD_compressBound(body->text.length), began = bytes->length;
        SCOPED(memory_release) char *packed = NULL;
        TRY(text_check(&body->text, error));
        TRY(memory_create(&packed, most, 1, error));
        size_t stored = ZSTD_compress(packed, most, body->text.bytes ? body->text.bytes : "",
                                      body->text.length, COMPRESSION_LEVEL);
        if (ZSTD_isError(stored))
            return error_no_memory(error);
        text_append_bytes(bytes, packed, stored);
        TRY(text_check(bytes, error));
        char *entry = bytes->bytes + HEADER_BYTES + i * (size_t)ENTRY_BYTES;
        memcpy(entry, body->kind, ARCHIVE_KIND_BYTES);
        little_endian_put(entry + OFFSET_AT, began, 8);
        little_endian_put(entry + STORED_AT, stored, 8);
        little_endian_put(entry + WHOLE_AT, body->text.length, 8);
    }
    char *header = bytes->bytes;
    size_t name_bytes = strlen(archive->name);
    memcpy(header, identity, sizeof identity);
    little_endian_put(header + VERSION_AT, VERSION, 4);
    little_endian_put(header + BODIES_AT, archive->bodies, 4);
    little_endian_put(header + NAME_BYTES_AT, name_bytes, 4);
    little_endian_put(header + TOTAL_AT, bytes->length + TAIL_BYTES, 8);
    memcpy(header + NAME_AT, archive->name, name_bytes);
    digest_bytes(bytes->bytes, bytes->length, digest);
    text_append_bytes(bytes, digest, TAIL_BYTES);
    return text_check(bytes, error);
}

#define REFUSE(...) error_set_at(error, STATUS_BAD_INPUT, path, 0, __VA_ARGS__)

/* Checks that the file is as it was written: its header, and the digest at its end. */
static enum status check_whole(const struct text *bytes, const char *path, struct error *error)
{
    const char *header = bytes->bytes;
    size_t length = bytes->length, covered = length - TAIL_BYTES;
    char digest[DIGEST_TEXT_BYTES];
    if (length < sizeof identity || memcmp(header, identity, sizeof identity) != 0)
        return REFUSE("no archive, expected a file that begins with \"MPLA\"");
    if (length < HEADER_BYTES + TAIL_BYTES)
        return REFUSE("%zu bytes, expected at least %d", length, HEADER_BYTES + TAIL_BYTES);
    uint64_t version = little_endian_get(header + VERSION_AT, 4);
    if (version != VERSION)
        return REFUSE("version %llu, expected %d", (unsigned long long)version, VERSION);
    uint64_t total = little_endian_get(header + TOTAL_AT, 8);
    if (total != length)
        return REFUSE("%zu bytes, expected %llu as the header says", length,
                      (unsigned long long)total);
    digest_bytes(header, covered, digest);
    if (memcmp(digest, header + covered, TAIL_BYTES) != 0)
        return REFUSE("damaged: its bytes do not have the digest at its end");
    return STATUS_OK;
}

/* Unpacks a body that an entry of the directory describes; *end is where the body before it
   ends. */
static enum status read_body(const struct text *bytes, const char *path, const char *entry,
                             uint64_t *end, struct archive *archive, struct error *error)
{
    uint64_t offset = little_endian_get(entry + OFFSET_AT, 8),
             stored = little_endian_get(entry + STORED_AT, 8);
    uint64_t whole = little_endian_get(entry + WHOLE_AT, 8);
    SCOPED(memory_release) char *unpacked = NULL;
    if (offset != *end || stored > bytes->length - TAIL_BYTES - *end)
        return REFUSE("a body that does not lie behind the one before it");
    if (entry[0] == '\0' || entry[ARCHIVE_KIND_BYTES - 1] != '\0')
        return REFUSE("a body without a kind");
    *end += stored;
    const char *packed = bytes->bytes + offset;
    struct text *text = archive_add(archive, entry);
    if (whole > most_whole_bytes || ZSTD_getFrameContentSize(packed, (size_t)stored) != whole)
        return REFUSE("a body whose size is not that of the directory");
    TRY(memory_create(&unpacked, (size_t)whole + 1, 1, error));
    size_t found = ZSTD_decompress(unpacked, (size_t)whole, packed, (size_t)stored);
    if (ZSTD_isError(found) || found != whole)
        return REFUSE("a body that is no zstd frame");
    text_append_bytes(text, unpacked, found);
    return text_check(text, error);
}

enum status archive_read(const struct text *bytes, const char *path, struct archive *archive,
                         struct error *error)
{
    TRY(check_whole(bytes, path, error));
    const char *header = bytes->bytes;
    uint64_t name_bytes = little_endian_get(header + NAME_BYTES_AT, 4);
    uint64_t bodies = little_endian_get(header + BODIES_AT, 4),
             end = HEADER_BYTES + bodies * ENTRY_BYTES;
    if (name_bytes >= ARCHIVE_NAME_BYTES)
        return REFUSE("a name of %llu bytes, expected at most %d", (unsigned long long)name_bytes,
                      ARCHIVE_NAME_BYTES - 1);
    memcpy(archive->name, header + NAME_AT, name_bytes);
    archive->name[name_bytes] = '\0';
    if (bodies > ARCHIVE_MOST_BODIES || end > bytes->length - TAIL_BYTES)
        return REFUSE("%llu bodies, expected at most %d that fit the file",
                      (unsigned long long)bodies, ARCHIVE_MOST_BODIES);
    for (uint64_t i = 0; i < bodies; i++)
        TRY(read_body(bytes, path, header + HEADER_BYTES + i * ENTRY_BYTES, &end, archive, error));
    if (end != bytes->length - TAIL_BYTES)
        return REFUSE("bytes that belong to no body");
    return STATUS_OK;
}
