#ifndef MEMPLAN_DATASETS_MEMORIES_MEMORY_FILE_H
#define MEMPLAN_DATASETS_MEMORIES_MEMORY_FILE_H

#include "core/text.h"
#include "planning/memories/memory_plan.h"

/* Files of problems with several memories and of their plans: memplan-memories/1, see
   docs/memories.md, and dsa-solver's schema v1, whose solutions name their problem by a
   fingerprint. */

#define MEMORIES_JSON_FORMAT "memplan-memories/1"
#define MEMORIES_PLAN_FORMAT "memplan-memories-plan/1"

enum { DSA_FINGERPRINT_BYTES = 17 };

/* What a solution of dsa-solver says of its problem. */
struct dsa_origin {
    char *profile; /* NULL where the problem comes from no such file */
    char fingerprint[DSA_FINGERPRINT_BYTES];
    uint32_t *buffer_id; /* [buffers] */
    uint32_t *memory_id; /* [memories] */
};

struct memory_file {
    struct memory_problem *problem;
    struct dsa_origin dsa;
};

struct json_document;

/* Whether a text may be such a problem: one of its words is in it. What is not may be anything. */
bool memory_file_is_likely(const struct text *text);
/* Whether a document is one. */
bool memory_file_is(const struct json_document *document);

/* Reads a problem of either form. Fails with STATUS_BAD_INPUT, file, line, what was found and what
   was expected. Leaves *file fit for memory_file_clear. */
enum status memory_file_read(const struct json_document *document, struct memory_file *file,
                             struct error *error);
void memory_file_clear(struct memory_file *file);

/* Reads the memories of a hardware profile (docs/memories.md) for a finished problem without
   memories, which it takes over, also where it fails. Each buffer may lie in every memory, and
   moves read_bytes[buffers] and write_bytes[buffers]; NULL: its size. Errors as
   memory_file_read. */
enum status memory_file_read_hardware(const struct json_document *document, struct problem *plain,
                                      const uint64_t *read_bytes, const uint64_t *write_bytes,
                                      struct memory_file *file, struct error *error);

/* Appends the problem as memplan-memories/1, a line for each buffer and pair. */
enum status memory_file_write(const struct memory_problem *problem, struct text *text,
                              struct error *error);
/* Appends a cost, which has at most three digits behind the point. */
void memory_file_write_cost(uint64_t cost, struct text *text);

/* Appends a plan as memplan-memories-plan/1, or as a solution of dsa-solver; the file has a
   dsa_origin then. */
enum status memory_file_write_plan(const struct memory_problem *problem,
                                   const struct memory_plan *plan, struct text *text,
                                   struct error *error);
enum status memory_file_write_solution(const struct memory_file *file,
                                       const struct memory_plan *plan, struct text *text,
                                       struct error *error);
/* Reads a plan of either form. Each buffer is in it once. The cost and the peaks are not filled
   in. A solution has to have the profile, the instance and the fingerprint of the problem. */
enum status memory_file_read_plan(const struct memory_file *file, const struct text *text,
                                  const char *path, struct memory_plan **plan, struct error *error);

#endif
