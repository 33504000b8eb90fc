#ifndef MEMPLAN_HARNESS_CACHE_ARCHIVE_H
#define MEMPLAN_HARNESS_CACHE_ARCHIVE_H

#include "core/text.h"

/* A file of several bodies, .mpa (docs/formats.md), after the offline model of Xu 2019, section
   4.4.3. Numbers are little-endian:

       header      1024 bytes: "MPLA", version, bodies, bytes of the name (4 bytes each), bytes of
                   the file (8), the name, zeros
       directory   40 bytes for each body: kind (16), offset, stored bytes, whole bytes (8 each)
       bodies      zstd frames, one after the other
       tail        SHA-256 of all before it, as 64 hexadecimal digits */

enum {
    ARCHIVE_MOST_BODIES = 8,
    ARCHIVE_KIND_BYTES = 16,
    ARCHIVE_NAME_BYTES = 1001 /* with the final zero, which is not needed in the file */
};

struct archive {
    char name[ARCHIVE_NAME_BYTES];
    uint32_t bodies;
    struct archive_body {
        char kind[ARCHIVE_KIND_BYTES]; /* such as "plan"; ends in a zero */
        struct text text;
    } body[ARCHIVE_MOST_BODIES];
};

/* Adds an empty body and returns its text, for the caller to write into. The archive must have
   fewer than ARCHIVE_MOST_BODIES bodies, and the kind must be shorter than ARCHIVE_KIND_BYTES. */
struct text *archive_add(struct archive *archive, const char *kind);

/* The text of the first body of that kind; NULL where there is none. */
const struct text *archive_find(const struct archive *archive, const char *kind);
void archive_free(struct archive *archive);

/* Appends the file to bytes. The same archive gives the same bytes. */
enum status archive_write(const struct archive *archive, struct text *bytes, struct error *error);

/* Reads an archive from the bytes of a whole file. Fails with STATUS_BAD_INPUT, the path, what was
   found and what was expected, if any byte differs from what was written. The archive is zeroed by
   the caller, who frees it, also after an error. O(bytes). */
enum status archive_read(const struct text *bytes, const char *path, struct archive *archive,
                         struct error *error);

#endif
