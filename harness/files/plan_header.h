#ifndef MEMPLAN_HARNESS_FILES_PLAN_HEADER_H
#define MEMPLAN_HARNESS_FILES_PLAN_HEADER_H

#include "core/text.h"
#include "planning/plan/plan.h"

/* A plan as a header for C11 and C++11: the bytes and the alignment of the arena, an offset and a
   size for each buffer, a list of all of them, and the arena itself for the one source that asks
   for it. Names begin with that of the file. */
struct plan_header {
    const char *path, *instance, *planner;
    uint64_t alignment_bytes; /* least alignment of the arena */
    const struct problem *problem;
    const struct plan *plan; /* must hold a plan */
};

/* Appends the header. STATUS_BAD_INPUT for a plan that splits buffers. */
enum status plan_header_write(const struct plan_header *header, struct text *text,
                              struct error *error);

#endif
