#ifndef MEMPLAN_CORE_DIGEST_H
#define MEMPLAN_CORE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum { DIGEST_TEXT_BYTES = 65 };

/* SHA-256 of bytes as 64 hexadecimal digits and a zero. */
void digest_bytes(const void *bytes, size_t length, char text[DIGEST_TEXT_BYTES]);

/* The digest of bytes that come piece by piece. The caller frees it; NULL is fine. */
struct digest;
enum status digest_create(struct digest **digest, struct error *error);
void digest_free(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t length);
void digest_finish(struct digest *digest, char text[DIGEST_TEXT_BYTES]);

/* The digest of a file's bytes. Fails as text_read_file does. */
enum status digest_file(const char *path, char text[DIGEST_TEXT_BYTES], struct error *error);

#endif
