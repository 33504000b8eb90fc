#ifndef MEMPLAN_HARNESS_FILES_PLAN_HEADER_H
#define MEMPLAN_HARNESS_FILES_PLAN_HEADER_H

#include "core/text.h"
#include "planning/memories/memory_problem.h"
#include "planning/plan/plan.h"

/* A plan as a header of C. */

struct header_source {
    const char *instance, *planner;
    const char *path; /* of the header: names in it begin with the name of the file */
    const struct problem *problem;
    const struct plan *plan;
    /* In which offsets are addresses (planning/memories/address.h); NULL: there is one arena. */
    const struct memory_problem *memories;
    const char *stays; /* NULL, or the rows of the list of stays: each buffer is one of them */
};

/* Appends a header for C11 and C++11: the bytes and the alignment of the arena, or of one in each
   memory, an offset and a size for each buffer, and in which memory it is, lists of all of them and
   of stays, and the arenas themselves for the one source that asks for them. STATUS_BAD_INPUT for a
   plan that splits buffers. */
enum status plan_header_write(const struct header_source *source, struct text *text,
                              struct error *error);

#endif
