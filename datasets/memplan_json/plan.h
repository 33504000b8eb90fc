#ifndef MEMPLAN_DATASETS_MEMPLAN_JSON_PLAN_H
#define MEMPLAN_DATASETS_MEMPLAN_JSON_PLAN_H

#include <stdint.h>

#include "core/names.h"
#include "core/text.h"
#include "planning/plan/plan.h"

/* The plan format memplan-plan/1, see docs/formats.md: what was asked for, what came out, and where
   each buffer is. */

#define PLAN_JSON_FORMAT "memplan-plan/1"

struct plan_document_buffer {
    uint64_t size_bytes;
    uint64_t offset_bytes; /* in one of several memories an address, planning/memories/address.h */
    uint64_t alignment_bytes; /* of which the offset is a multiple */
    uint32_t lower, upper;    /* steps */
    uint32_t storage_id;      /* STORAGE_IDS_NONE for none */
    uint8_t device;
    uint32_t first, tensors;        /* names of its tensors: first .. first + tensors - 1 */
    uint32_t first_extent, extents; /* of the document; none where it is not split */
};

/* An object of a pooled planner: its offset, and the bytes that its buffers need. */
struct plan_document_storage {
    /* size_bytes is 0 where no buffer of the document is in the object */
    uint64_t offset_bytes, size_bytes;
    uint8_t device;
};

/* The texts belong to the document. Numbers are at most INT64_MAX, JSON readers know no larger
   ones. */
struct plan_document {
    char *instance, *digest, *policy, *planner, *options;
    uint64_t seed;
    enum plan_status status;
    struct measures measures; /* the file has neither the load nor the pools */
    uint64_t wall_ns;
    uint32_t buffers;
    struct plan_document_buffer *buffer;   /* [buffers] */
    struct names buffer_names;             /* [buffers] */
    struct names tensor_names;             /* of all buffers */
    struct extent *extent;                 /* [extents] of all buffers */
    struct plan_document_storage *storage; /* [storages] none where the plan has no storage ids */
    struct names memory_names;             /* of several memories; none: there is one arena */
    uint64_t *memory_peak;                 /* [memory_names.count] */
    uint32_t extents, storages;
    size_t buffer_capacity, extent_capacity;
};

/* Texts of a new document, copied; NULL stands for "". */
struct plan_document_texts {
    const char *instance, *digest, *policy, *planner, *options;
};

enum status plan_document_create(const struct plan_document_texts *texts,
                                 struct plan_document **document, struct error *error);
void plan_document_free(struct plan_document *document); /* NULL is fine */
SCOPED_POINTER(struct plan_document, plan_document_release, plan_document_free);

/* Adds a buffer, to which the tensors and extents added next belong, with the sizes, the offset and
   the steps of the given one. */
enum status plan_document_add_buffer(struct plan_document *document, const char *name,
                                     struct plan_document_buffer buffer, struct error *error);
enum status plan_document_add_tensor(struct plan_document *document, const char *name,
                                     struct error *error);
enum status plan_document_add_extent(struct plan_document *document, uint64_t offset_bytes,
                                     uint64_t size_bytes, struct error *error);

/* Computes the storages from the buffers that have been added. O(buffers). */
enum status plan_document_find_storages(struct plan_document *document, struct error *error);

/* Appends the document to text, one line per buffer. Fails when a text is not UTF-8 or a number is
   larger than INT64_MAX. */
enum status plan_json_write(const struct plan_document *document, struct text *text,
                            struct error *error);

/* The caller frees it with plan_document_free. Fails with STATUS_BAD_INPUT, file and line, where
   the text is no plan or a buffer ends beyond INT64_MAX. */
enum status plan_json_read(const struct text *text, const char *file,
                           struct plan_document **document, struct error *error);

#endif
