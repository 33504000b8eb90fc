#include "core/digest.h"

#include <nettle/sha2.h>

#include "core/memory.h"
#include "core/text.h"

struct digest {
    struct sha256_ctx context;
};

static void write_digits(struct sha256_ctx *context, char text[DIGEST_TEXT_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t raw[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof raw, raw);
    for (size_t i = 0; i < sizeof raw; i++) {
        text[2 * i] = digits[raw[i] >> 4];
        text[2 * i + 1] = digits[raw[i] & 15];
    }
    text[2 * sizeof raw] = '\0';
}

void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT_BYTES])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, length, bytes);
    write_digits(&context, text);
}

enum status digest_create(struct digest **digest, struct error *error)
{
    TRY(memory_create(digest, 1, sizeof **digest, error));
    sha256_init(&(*digest)->context);
    return STATUS_OK;
}

void digest_free(struct digest *digest)
{
    memory_free(digest);
}

void digest_add(struct digest *digest, const void *bytes, size_t length)
{
    sha256_update(&digest->context, length, bytes);
}

void digest_finish(struct digest *digest, char text[DIGEST_TEXT_BYTES])
{
    write_digits(&digest->context, text);
}

enum status digest_file(const char *path, char text[DIGEST_TEXT_BYTES], struct error *error)
{
    SCOPED(text_free) struct text bytes = {0};
    TRY(text_read_file(path, &bytes, error));
    digest_bytes(bytes.bytes, bytes.length, text);
    return STATUS_OK;
}
