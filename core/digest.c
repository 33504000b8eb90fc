#include "core/digest.h"

#include <openssl/evp.h>

#include "core/memory.h"
#include "core/text.h"

struct digest {
    EVP_MD_CTX *context;
};

/* Writes what was found as digits, or says that nothing was. */
static enum status write_digits(bool is_found, const unsigned char *raw, unsigned raw_bytes,
                                char text[DIGEST_TEXT_BYTES], struct error *error)
{
    static const char digits[] = "0123456789abcdef";
    if (!is_found || raw_bytes * 2 != DIGEST_TEXT_BYTES - 1)
        return error_set(error, STATUS_INTERNAL, "SHA-256 is not available");
    for (unsigned i = 0; i < raw_bytes; i++) {
        text[2 * i] = digits[raw[i] >> 4];
        text[2 * i + 1] = digits[raw[i] & 15];
    }
    text[2 * raw_bytes] = '\0';
    return STATUS_OK;
}

enum status digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT_BYTES],
                         struct error *error)
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned raw_bytes = 0;
    bool is_found = EVP_Digest(bytes, length, raw, &raw_bytes, EVP_sha256(), NULL);
    return write_digits(is_found, raw, raw_bytes, text, error);
}

enum status digest_create(struct digest **created, struct error *error)
{
    struct digest *digest;
    TRY(memory_create(&digest, 1, sizeof *digest, error));
    digest->context = EVP_MD_CTX_new();
    if (!digest->context || !EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL)) {
        digest_free(digest);
        return error_set(error, STATUS_INTERNAL, "SHA-256 is not available");
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
    if (EVP_DigestUpdate(digest->context, bytes, length))
        return STATUS_OK;
    return error_set(error, STATUS_INTERNAL, "SHA-256 is not available");
}

enum status digest_finish(struct digest *digest, char text[DIGEST_TEXT_BYTES], struct error *error)
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned raw_bytes = 0;
    bool is_found = EVP_DigestFinal_ex(digest->context, raw, &raw_bytes);
    return write_digits(is_found, raw, raw_bytes, text, error);
}

enum status digest_file(const char *path, char text[DIGEST_TEXT_BYTES], struct error *error)
{
    SCOPED(text_free) struct text bytes = {0};
    TRY(text_read_file(path, &bytes, error));
    return digest_bytes(bytes.bytes, bytes.length, text, error);
}
