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
    ARCHIVE_NAME_BYTES = 1001 /* with the zero at the end, which the file does not need */
};

struct archive {
    char name[ARCHIVE_NAME_BYTES];
    uint32_t bodies;
    struct archive_body {
        char kind[ARCHIVE_KIND_BYTES]; /* "plan"; ends in a zero */
        struct text text;
    } body[ARCHIVE_MOST_BODIES];
};

/* Adds an empty body and returns its text, to be written into. There are fewer than
   ARCHIVE_MOST_BODIES, and the kind is shorter than ARCHIVE_KIND_BYTES. */
struct text *archive_add(struct archive *archive, const char *kind);

/* The text of the first body of that kind; NULL where there is none. */
const struct text *archive_find(const struct archive *archive, const char *kind);
void archive_free(struct archive *archive);

/* Appends the file to bytes. The same archive gives the same bytes. */
enum status archive_write(const struct archive *archive, struct text *bytes, struct error *error);

/* Reads what a whole file holds. Fails with STATUS_BAD_INPUT, the path, what was found and what was
   expected, unless every byte is as it was written. The caller frees the archive, zeroed before,
   also after an error. O(bytes). */
enum status archive_read(const struct text *bytes, const char *path, struct archive *archive,
                         struct error *error);

#endif
