#ifndef MEMPLAN_DATASETS_HLO_ASSIGNMENT_H
#define MEMPLAN_DATASETS_HLO_ASSIGNMENT_H

#include "core/list.h"
#include "core/text.h"
#include "datasets/protobuf/wire.h"

/* A place in an allocation that is assigned to a logical buffer. */
struct hlo_assigned {
    uint64_t buffer, allocation, allocation_bytes, offset, bytes;
    const unsigned char *name; /* [name_bytes] of the instruction that allocates it */
    size_t name_bytes;
    uint32_t lower, upper; /* events: the first allocation, the last free; 0 for none */
    uint32_t holders;      /* allocations and shares without a free so far */
    uint32_t root;         /* itself, or the one whose place it shares */
};

struct hlo_assignment {
    struct wire wire;
    LIST_OF(struct hlo_assigned) assigned; /* by buffer */
};

/* The module of a file and its buffer assignment, empty where there is none. STATUS_BAD_INPUT for a
   file without a module. */
enum status hlo_open(const struct text *text, const char *file, struct wire *module,
                     struct wire *assignment, struct error *error);

/* Reads the places; the caller frees the assignment, also after an error. O(n log n). */
enum status hlo_assignment_read(struct wire wire, struct hlo_assignment *assignment);
void hlo_assignment_free(struct hlo_assignment *assignment);

/* The place of a logical buffer, NULL for none. */
struct hlo_assigned *hlo_assignment_find(const struct hlo_assignment *assignment, uint64_t buffer);

#endif
