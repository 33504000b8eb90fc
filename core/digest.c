#include "core/digest.h"

#include <openssl/evp.h>

#include "core/text.h"

enum status digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT_BYTES],
                         struct error *error)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned raw_bytes = 0;
    if (!EVP_Digest(bytes, length, raw, &raw_bytes, EVP_sha256(), NULL) || raw_bytes != 32)
        return error_set(error, STATUS_INTERNAL, "SHA-256 is not available");
    for (unsigned i = 0; i < raw_bytes; i++) {
        text[2 * i] = digits[raw[i] >> 4];
        text[2 * i + 1] = digits[raw[i] & 15];
    }
    text[2 * raw_bytes] = '\0';
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
