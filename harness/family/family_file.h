#ifndef MEMPLAN_HARNESS_FAMILY_FAMILY_FILE_H
#define MEMPLAN_HARNESS_FAMILY_FAMILY_FILE_H

#include "harness/family/family_plan.h"
#include "planning/verify/problem/orientation.h"

/* Plans for all sizes in files, see docs/sizes.md. */

#define FAMILY_PLAN_FORMAT "memplan-family-plan/1"

/* Appends the plan as JSON: which buffers are listed below each, what is proved, and all
   expressions, so that offsets for any sizes can be computed from the file alone. */
enum status family_file_write_json(const struct job *job, const struct family_plan *plan,
                                   struct text *text, struct error *error);

/* Appends a header for C and C++ with one function, whose name begins with that of the file at
   `path`: it fills an array of offsets from the parameters, and returns the peak. It allocates
   nothing, and takes a few additions for each buffer. Where sums would be above 2^64 - 1, which
   happens only outside of the box, they are not right. */
enum status family_file_write_header(const struct job *job, const struct family_plan *plan,
                                     const char *path, struct text *text, struct error *error);

/* What buffers the file lists below each of the problem's buffers. */
struct below_read {
    uint32_t *first; /* [buffers + 1] */
    uint32_t *below;
};

/* Reads what family_file_write_json wrote for a problem of this digest. The caller frees it.
   STATUS_BAD_INPUT, file and line, where the file is none or is for another instance. */
enum status family_file_read(const struct instance *instance, const char *path,
                             struct below_read *read, struct error *error);
/* Does the same for a text, the content of `file`. */
enum status family_file_read_text(const struct instance *instance, const struct text *text,
                                  const char *file, struct below_read *read, struct error *error);
void family_file_free(struct below_read *read);

#endif
