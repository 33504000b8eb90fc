#include "core/digest.h"
#include "harness/cache/archive.h"

#include "fuzzing.h"

/* Makes the size in the header and the digest at the end right, without which nothing else is
   looked at. */
static void sign(struct text *text)
{
    enum { TOTAL_AT = 16, TAIL_BYTES = DIGEST_TEXT_BYTES - 1 };
    char digest[DIGEST_TEXT_BYTES];
    if (text->length < 1024 + TAIL_BYTES)
        return;
    for (unsigned i = 0; i < 8; i++)
        text->bytes[TOTAL_AT + i] = (char)((uint64_t)text->length >> 8 * i & 255);
    size_t covered = text->length - TAIL_BYTES;
    digest_bytes(text->bytes, covered, digest);
    memcpy(text->bytes + covered, digest, TAIL_BYTES);
}

/* Other bytes may be the same texts, compressed in another way; what is written of them is read
   again. */
static void check_round_trip(const struct archive *archive)
{
    SCOPED(text_free) struct text bytes = {0};
    SCOPED(archive_free) struct archive again = {0};
    struct error error;
    fuzzing_require(archive_write(archive, &bytes, &error) == STATUS_OK);
    fuzzing_require(archive_read(&bytes, "input", &again, &error) == STATUS_OK);
    fuzzing_require(again.bodies == archive->bodies && strcmp(again.name, archive->name) == 0);
    for (uint32_t i = 0; i < again.bodies; i++)
        fuzzing_require_same(&archive->body[i].text, &again.body[i].text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = fuzzing_text(data, size);
    SCOPED(archive_free) struct archive archive = {0};
    struct error error = ERROR_NONE;
    sign(&text);
    enum status status = archive_read(&text, "input", &archive, &error);
    if (status)
        fuzzing_check_refusal(status, &error);
    else
        check_round_trip(&archive);
    text_free(&text);
    return 0;
}
