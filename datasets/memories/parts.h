#ifndef MEMPLAN_DATASETS_MEMORIES_PARTS_H
#define MEMPLAN_DATASETS_MEMORIES_PARTS_H

#include "datasets/json/fields.h"
#include "datasets/memories/memory_file.h"
#include "planning/memories/finish.h"

/* What the readers of both forms share. */

struct memory_reader {
    struct json_reader json;
    struct memory_file *file;
    /* Where each list stands, for the place of a fault; NULL where it is missing. The reserved
       ranges are those of all memories, one after another. */
    const struct json_value *list[MEMORY_LIST_PINS + 1];
};

/* A non-negative number with at most three digits behind the point, in thousandths. */
enum status memory_parts_cost(const struct memory_reader *reader, const struct json_value *value,
                              const char *what, uint64_t *cost);

/* The readers of either form. */
enum status memory_parts_read_memories(struct memory_reader *reader);
enum status memory_parts_read_dsa(struct memory_reader *reader);
/* Reads the list "memories" of an object into the problem, which is made of the plain one. */
enum status memory_parts_read_list(struct memory_reader *reader, const struct json_value *object,
                                   struct problem *plain);

/* The position of an id of dsa-solver in a list in which most ids are their own positions; the
   count where it is not there. */
uint32_t memory_parts_find_id(const uint32_t *ids, uint32_t count, uint32_t id);

/* FNV-1a of 64 bits, as 16 digits, of the document in dsa-solver's own layout: keys in order, two
   blanks for each level. */
enum status memory_parts_fingerprint(const struct json_document *document,
                                     char fingerprint[DSA_FINGERPRINT_BYTES], struct error *error);

#endif
