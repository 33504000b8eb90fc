#include "core/digest.h"

#include <openssl/evp.h>

#include "core/memory.h"
#include "core/text.h"

enum { RAW_BYTES = 32 };

struct digest {
    EVP_MD_CTX *context;
};

static enum status fail(struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "SHA-256 is not available");
}

static void write_digits(const unsigned char raw[RAW_BYTES], char text[DIGEST_TEXT_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < RAW_BYTES; i++) {
        text[2 * i] = digits[raw[i] >> 4];
        text[2 * i + 1] = digits[raw[i] & 15];
    }
    text[2 * RAW_BYTES] = '\0';
}

enum status digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT_BYTES],
                         struct error *error)
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned raw_bytes = 0;
    if (!EVP_Digest(bytes, length, raw, &raw_bytes, EVP_sha256(), NULL) || raw_bytes != RAW_BYTES)
        return fail(error);
    write_digits(raw, text);
    return STATUS_OK;
}

enum status digest_create(struct digest **created, struct error *error)
{
    struct digest *digest;
    TRY(memory_create(&digest, 1, sizeof *digest, error));
    digest->context = EVP_MD_CTX_new();
    if (!digest->context || !EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL)) {
        digest_free(digest);
        return fail(error);
    }
    *created = digest;
    return STATUS_OK;
}

void digest_free(struct digest *digest)
{
    if (!digest)
        return;
    EVP_MD_CTX_free(digest->context);
    memory_free(digest);
}

enum status digest_add(struct digest *digest, const void *bytes, size_t length, struct error *error)
{
    return EVP_DigestUpdate(digest->context, bytes, length) ? STATUS_OK : fail(error);
}

enum status digest_finish(struct digest *digest, char text[DIGEST_TEXT_BYTES], struct error *error)
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned raw_bytes = 0;
    if (!EVP_DigestFinal_ex(digest->context, raw, &raw_bytes) || raw_bytes != RAW_BYTES)
        return fail(error);
    write_digits(raw, text);
    return STATUS_OK;
}

enum status digest_file(const char *path, char text[DIGEST_TEXT_BYTES], struct error *error)
{
    struct text bytes = {0};
    TRY(text_read_file(path, &bytes, error));
    enum status status = digest_bytes(bytes.bytes, bytes.length, text, error);
    text_free(&bytes);
    return status;
}
