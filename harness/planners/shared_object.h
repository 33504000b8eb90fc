#ifndef MEMPLAN_HARNESS_PLANNERS_SHARED_OBJECT_H
#define MEMPLAN_HARNESS_PLANNERS_SHARED_OBJECT_H

#include "core/digest.h"

/* A shared object that a user brings along, with tables of memplan/plugin.h. */

/* Zero-initialise it. */
struct shared_object {
    void *handle;
    char *path; /* as the user gave it */
    char content[DIGEST_TEXT_BYTES];
};

/* Loads it; a path without a slash is one in the current folder. Fails with STATUS_BAD_INPUT and
   the path where it is none. Closed by the caller, also after an error. */
enum status shared_object_open(const char *path, struct shared_object *object, struct error *error);
void shared_object_close(struct shared_object *object);

/* NULL where it has none of that name. */
const void *shared_object_symbol(const struct shared_object *object, const char *name);

/* Texts of the index-th row of a table. */
struct shared_object_row {
    const char *kind; /* "planner" */
    uint32_t index;
    const char *name, *title, *source;
};

/* STATUS_BAD_INPUT where one is missing, is not one line of UTF-8, or the name is no name. */
enum status shared_object_check_row(const char *path, const struct shared_object_row *row,
                                    struct error *error);

#endif
