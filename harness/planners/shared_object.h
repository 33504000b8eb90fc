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

/* Loads a shared object; a path without a slash names a file in the current folder.
   STATUS_BAD_INPUT with the path where that is not one. The object is closed by the caller, also
   after an error. */
enum status shared_object_open(const char *path, struct shared_object *object, struct error *error);
void shared_object_close(struct shared_object *object);

/* The address of a symbol, NULL where the object has none of that name. */
const void *shared_object_symbol(const struct shared_object *object, const char *name);

/* The texts of row `index` of a table. */
struct shared_object_row {
    const char *kind; /* "planner" */
    uint32_t index;
    const char *name, *title, *source;
};

/* STATUS_BAD_INPUT where one of the texts is missing or is not a single line of UTF-8, or where the
   name is not allowed. */
enum status shared_object_check_row(const char *path, const struct shared_object_row *row,
                                    struct error *error);

#endif
