#ifndef MEMPLAN_DATASETS_CARRIED_CARRIED_H
#define MEMPLAN_DATASETS_CARRIED_CARRIED_H

#include "planning/problem/problem.h"

/* A problem together with the plan that a file of a framework carries for it. A file may hold
   several: one for each method and each memory. */
struct carried {
    struct problem *problem;
    uint64_t *offset;     /* [problem->buffers] of the carried plan */
    uint64_t arena_bytes; /* that the file says; 0 where it says nothing */
    size_t capacity;
};

/* Begins a problem with the name of a file. */
enum status carried_create(struct carried *carried, const char *file, struct error *error);
void carried_clear(struct carried *carried);

/* A buffer at an offset, and then the steps [lower, upper) at which it is live. Errors as
   problem_add_buffer. */
struct carried_buffer {
    const char *name;
    uint64_t size, offset;
};
enum status carried_add(struct carried *carried, const struct carried_buffer *buffer,
                        struct error *error);

enum status carried_add_segment(struct carried *carried, uint32_t lower, uint32_t upper,
                                struct error *error);

/* Finishes the problem. Where all carried offsets are multiples of the alignment that the framework
   uses, so are those of other plans. */
enum status carried_finish(struct carried *carried, uint64_t alignment, struct error *error);

/* Which problem of the file is meant, from what follows its name: "method=forward&memory=1". */
struct carried_choice {
    const char *method; /* [method_length]; NULL for none */
    size_t method_length;
    uint64_t memory; /* CARRIED_ANY for none */
};
#define CARRIED_ANY UINT64_MAX

/* text may be NULL, for no choice; borrowed. STATUS_USAGE for what is no choice. */
enum status carried_choose(const char *text, struct carried_choice *choice, struct error *error);

#endif
