#ifndef MEMPLAN_DATASETS_ZIP_ZIP_H
#define MEMPLAN_DATASETS_ZIP_ZIP_H

#include "core/text.h"

/* Zip archives, by their central directory alone: local headers of PyTorch's archives do not hold
   the sizes. Every offset is checked against the file before it is followed. Members are stored or
   deflated. */

struct zip_member {
    const char *name; /* [name_bytes] in the file, no zero at its end */
    size_t name_bytes;
    uint64_t bytes, packed_bytes;
    uint64_t header; /* where its local header begins */
    unsigned method;
};

struct zip {
    const struct text *text;
    const char *file; /* for messages */
    size_t at, end;   /* the central directory */
    uint64_t members;
    struct error *error;
};

/* A deflated member may say that it holds more than the file; it may hold this much. A stored one
   is as large as the file at most. */
enum { ZIP_MOST_INFLATED_BYTES = 32 << 20 };

bool zip_is_archive(const struct text *text);

/* Finds the directory. Fails with STATUS_BAD_INPUT and the byte offset, as all of these do. */
enum status zip_open(const struct text *text, const char *file, struct zip *zip,
                     struct error *error);

/* Goes over the members in the order of the directory: *at is 0 before the first call. *found is
   false at the end. */
enum status zip_next(const struct zip *zip, size_t *at, bool *found, struct zip_member *member);

/* What the member holds: borrowed from the archive where it is stored, else from `inflated`, which
   is empty before and which the caller frees. */
enum status zip_read(const struct zip *zip, const struct zip_member *member, struct text *inflated,
                     struct text *content);

#endif
